import type { Json, JsonObject } from '../proof/canonical.ts';
import type { EventDefinition, EventFields, Words } from './define.ts';

/** How names are shown: Markdown in the log, another dialect where an integration needs one. */
export interface Dialect {
  readonly bold: (text: string) => string;
  readonly link: (text: string, path: string) => string;
}

/** Every character that Markdown or HTML could take for more than a letter. */
const escapeMarkdown = (text: string) =>
  text.replace(/[\\`*_{}[\]()#+!|<>&~]/g, (mark) => `\\${mark}`).replace(/[\r\n]+/g, ' ');

export const markdown: Dialect = {
  bold: (text) => `**${escapeMarkdown(text)}**`,
  // Brackets survive encodeURIComponent and would end the link's address.
  link: (text, path) =>
    `[${text}](${path.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))})`,
};

const segment = encodeURIComponent;

const textOf = (value: Json | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The sentence of an event in a dialect; links are relative to wherever it is shown. */
export function summarise(
  definition: EventDefinition,
  user: string,
  event: EventFields<JsonObject | null>,
  dialect: Dialect = markdown,
): string {
  const { project, featureName, environment } = event;
  const bold = (value: Json | undefined) => dialect.bold(textOf(value));
  const words: Words = {
    bold,
    user: bold(user),
    project: project ? dialect.link(bold(project), `/projects/${segment(project)}`) : '',
    feature: featureName
      ? project
        ? dialect.link(
            bold(featureName),
            `/projects/${segment(project)}/features/${segment(featureName)}`,
          )
        : bold(featureName)
      : '',
    environment: environment ? bold(environment) : '',
    data: event.data ?? {},
    preData: event.preData ?? {},
  };
  return definition.summary(words);
}
