import type { Json, JsonObject } from '../proof/canonical.ts';
import type { EventDefinition, EventFields, Words } from './define.ts';

/** How names are formatted: Markdown in the log, another dialect for some integrations. */
export interface Dialect {
  readonly text: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly link: (text: string, path: string) => string;
}

/** Escapes every character that has a meaning in Markdown or HTML. */
const escapeMarkdown = (text: string) =>
  text.replace(/[\\`*_{}[\]()#+!|<>&~]/g, (mark) => `\\${mark}`).replace(/[\r\n]+/g, ' ');

export const markdown: Dialect = {
  text: escapeMarkdown,
  bold: (text) => `**${escapeMarkdown(text)}**`,
  // encodeURIComponent leaves brackets, which would end the address of the link.
  link: (text, path) =>
    `[${text}](${path.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))})`,
};

const segment = encodeURIComponent;

const textOf = (value: Json | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The summary of an event in a dialect, with relative links. */
export function summarize(
  definition: EventDefinition,
  user: string,
  event: EventFields<JsonObject | null>,
  dialect: Dialect = markdown,
): string {
  const { project, featureName, environment } = event;
  const bold = (value: Json | undefined) => dialect.bold(textOf(value));
  const pathOf = (path = '') => `/projects/${segment(project ?? '')}${path}`;
  const words: Words = {
    bold,
    page: (text, path) =>
      project ? dialect.link(dialect.text(text), pathOf(path)) : dialect.text(text),
    text: (value) => dialect.text(textOf(value)),
    tag: ({ type, value }) => bold(`${textOf(type)}:${textOf(value)}`),
    where: environment ? ` in ${bold(environment)}` : '',
    user: bold(user),
    project: project ? dialect.link(bold(project), pathOf()) : '',
    feature: featureName
      ? project
        ? dialect.link(bold(featureName), pathOf(`/features/${segment(featureName)}`))
        : bold(featureName)
      : '',
    environment: environment ? bold(environment) : '',
    data: event.data ?? {},
    preData: event.preData ?? {},
  };
  return definition.summary(words);
}
