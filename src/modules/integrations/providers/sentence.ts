/** A run of a sentence: words, a name (bold), or a name that leads somewhere. */
export interface Span {
  readonly text: string;
  readonly bold: boolean;
  /** Relative to the installation. */
  readonly path?: string;
}

/** A link, something bold, or words up to the next of these; whatever fits nothing is a letter. */
const pieces =
  /\[((?:\\.|[^\\\]])*)\]\(([^()\s]*)\)|\*\*((?:\\.|[^\\*])*)\*\*|((?:\\.|[^\\[*])+|.)/gsu;

const unescaped = (text: string) => text.replace(/\\(.)/gsu, '$1');

/** The spans of a stored summary: the Markdown that the events module writes, and no other. */
export const readSentence = (summary: string): Span[] => spansOf(summary, undefined);

const spansOf = (markdown: string, path: string | undefined): Span[] =>
  [...markdown.matchAll(pieces)].flatMap(([, label, target, bold, words]) => {
    if (label !== undefined) return spansOf(label, target);
    const text = unescaped(bold ?? words ?? '');
    if (text === '') return [];
    return [{ text, bold: bold !== undefined, ...(path === undefined ? {} : { path }) }];
  });

const ellipsis = '…';

/** What a receiver takes of a sentence that is too long for it: whole characters, then an ellipsis. */
export function shorten(spans: readonly Span[], most: number): readonly Span[] {
  if (plainText(spans).length <= most) return spans;
  const kept: Span[] = [];
  let room = most - ellipsis.length;
  for (const span of spans) {
    const text = span.text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
    if (text !== '') kept.push({ ...span, text });
    room -= span.text.length;
    if (room <= 0) break;
  }
  return [...kept, { text: ellipsis, bold: false }];
}

export const plainText = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('');

/** Whether the sentence says at its beginning who it was, so that nobody has to say it again. */
export const beginsWith = ([first]: readonly Span[], name: string): boolean =>
  first?.bold === true && first.text === name;

export const absoluteUrl = (baseUrl: string, path: string): string =>
  `${baseUrl.replace(/\/+$/, '')}${path}`;

/** Where the sentence leads: to the feature if it names one, else to the project; else undefined. */
export const leadsTo = (spans: readonly Span[], baseUrl: string): string | undefined => {
  const paths = spans.flatMap(({ path }) => (path === undefined ? [] : [path]));
  const path = paths.find((candidate) => candidate.includes('/features/')) ?? paths[0];
  return path === undefined ? undefined : absoluteUrl(baseUrl, path);
};

/** What could be formatting, a mention, an emoji, an address or, at the beginning, a list. */
const marks = /[\\`*_~|<>@#/[\]()+-]|:(?=\S)|(?<=^\s*\d+)\./g;

export const escapeMarkdown = (text: string): string => text.replace(marks, '\\$&');

/** Markdown with links that work from anywhere. */
export const markdown = (spans: readonly Span[], baseUrl: string): string =>
  spans
    .map(({ text, bold, path }) => {
      const shown = bold ? `**${escapeMarkdown(text)}**` : escapeMarkdown(text);
      // Discord looks for the end of a label without regard to escapes.
      if (path === undefined || /[[\]]/.test(text)) return shown;
      return `[${shown}](${absoluteUrl(baseUrl, path)})`;
    })
    .join('');

/** Slack's three characters. */
export const escapeMrkdwn = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * What Slack, or a server that speaks like it, would read as formatting, an emoji, an address or a mention;
 * none of these can be escaped. An underscore within a word is harmless.
 */
const speaking = /[*~`]|(?<![a-z0-9])_|_(?![a-z0-9])|:[^\s:]+:|:\/\/|(?<![a-z0-9])@|^\s|\s$/i;

/** Slack's own dialect. A name that would speak in it is shown as code, where nothing speaks but backticks. */
export const mrkdwn = (spans: readonly Span[], baseUrl: string): string =>
  spans
    .map(({ text, bold, path }) => {
      if (!bold && path === undefined) return escapeMrkdwn(text);
      const name = escapeMrkdwn(text.replaceAll('`', "'"));
      const shown = path === undefined ? name : `<${linkTarget(baseUrl, path)}|${name}>`;
      return speaking.test(text) ? `\`${shown}\`` : `*${shown}*`;
    })
    .join('');

const linkTarget = (baseUrl: string, path: string) =>
  escapeMrkdwn(absoluteUrl(baseUrl, path)).replaceAll('|', '%7C');
