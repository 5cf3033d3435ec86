import { defineEvent, type EventType, type JsonObject } from '../events/index.ts';

const capital = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;

const articleOf = (word: string) => (/^[aeio]/.test(word) ? 'an' : 'a');

/** The event of one thing that an import has created or updated. `word` is what the thing is called. */
export const defineImport = (type: EventType, word: string, personal?: readonly string[]) =>
  Object.assign(
    defineEvent<JsonObject>({
      type,
      label: `${capital(word)} imported`,
      summary: ({ user, data, bold }) =>
        personal
          ? `${user} imported ${articleOf(word)} ${word} from ${bold(data.importedFrom)}`
          : `${user} imported ${word} ${bold(data.importedAs)} from ${bold(data.importedFrom)}`,
      ...(personal && { personal }),
    }),
    { word, type },
  );
