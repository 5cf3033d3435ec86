import { defineEvent, type EventType, type JsonObject } from '../events/index.ts';

const capital = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;

/** The event of one thing that an import has made or changed. `word` is what the thing is called. */
export const defineImport = (type: EventType, word: string, personal?: readonly string[]) =>
  Object.assign(
    defineEvent<JsonObject>({
      type,
      label: `${capital(word)} imported`,
      summary: ({ user, data, bold }) =>
        personal
          ? `${user} imported a ${word} from ${bold(data.importedFrom)}`
          : `${user} imported the ${word} ${bold(data.importedAs)} from ${bold(data.importedFrom)}`,
      ...(personal && { personal }),
    }),
    { word, type },
  );

export const environmentImported = defineImport('environment-import', 'environment');
export const tagTypeImported = defineImport('tag-type-import', 'tag type');
export const tagImported = defineImport('tag-import', 'tag');
export const strategyTypeImported = defineImport('strategy-import', 'strategy type');
export const segmentImported = defineImport('segment-import', 'segment');
export const projectImported = defineImport('project-import', 'project');
export const featureImported = defineImport('feature-import', 'feature');
