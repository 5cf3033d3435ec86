import { absoluteUrl, plainText, type Span } from '../../events/index.ts';

export { absoluteUrl, plainText, readSentence, type Span } from '../../events/index.ts';

const ellipsis = '…';

/** Shortens a sentence to whole characters and an ellipsis. */
export function shorten(spans: readonly Span[], most: number): readonly Span[] {
  if (plainText(spans).length <= most) return spans;
  const shortened: Span[] = [];
  let remaining = most - ellipsis.length;
  for (const span of spans) {
    const text = span.text.slice(0, remaining).replace(/[\uD800-\uDBFF]$/, '');
    if (text !== '') shortened.push({ ...span, text });
    remaining -= span.text.length;
    if (remaining <= 0) break;
  }
  return [...shortened, { text: ellipsis, bold: false }];
}

/** Whether the sentence starts with this name, so that it need not be repeated. */
export const beginsWith = ([first]: readonly Span[], name: string): boolean =>
  first?.bold === true && first.text === name;

/** The URL of the sentence's feature, else of its project; undefined without both. */
export const leadsTo = (spans: readonly Span[], baseUrl: string): string | undefined => {
  const paths = spans.flatMap(({ path }) => (path === undefined ? [] : [path]));
  const path = paths.find((candidate) => candidate.includes('/features/')) ?? paths[0];
  return path === undefined ? undefined : absoluteUrl(baseUrl, path);
};

/** Characters that could be formatting, a mention, an emoji, a URL or, at the start, a list. */
const marks = /[\\`*_~|<>@#/[\]()+-]|:(?=\S)|(?<=^\s*\d+)\./g;

export const escapeMarkdown = (text: string): string => text.replace(marks, '\\$&');

/** Markdown with absolute links. */
export const markdown = (spans: readonly Span[], baseUrl: string): string =>
  spans
    .map(({ text, bold, path }) => {
      const formatted = bold ? `**${escapeMarkdown(text)}**` : escapeMarkdown(text);
      // Discord ignores escapes when it looks for the end of a label.
      if (path === undefined || /[[\]]/.test(text)) return formatted;
      return `[${formatted}](${absoluteUrl(baseUrl, path)})`;
    })
    .join('');

/** The three characters that Slack requires to be escaped. */
export const escapeMrkdwn = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * What Slack and compatible servers read as formatting, an emoji, a URL or a mention. None of these can be escaped.
 * An underscore inside a word is harmless.
 */
const speaking = /[*~`]|(?<![a-z0-9])_|_(?![a-z0-9])|:[^\s:]+:|:\/\/|(?<![a-z0-9])@|^\s|\s$/i;

/** Slack's mrkdwn. A name that would be formatted is written as code, where only backticks are special. */
export const mrkdwn = (spans: readonly Span[], baseUrl: string): string =>
  spans
    .map(({ text, bold, path }) => {
      if (!bold && path === undefined) return escapeMrkdwn(text);
      const name = escapeMrkdwn(text.replaceAll('`', "'"));
      const linked = path === undefined ? name : `<${linkTarget(baseUrl, path)}|${name}>`;
      return speaking.test(text) ? `\`${linked}\`` : `*${linked}*`;
    })
    .join('');

const linkTarget = (baseUrl: string, path: string) =>
  escapeMrkdwn(absoluteUrl(baseUrl, path)).replaceAll('|', '%7C');
