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
