/** A run of a sentence: words, a bold name, or a name with a link. */
export interface Span {
  readonly text: string;
  readonly bold: boolean;
  /** Relative to the installation. */
  readonly path?: string;
}

/** A link, bold text, or words up to the next of these. Anything else is plain text. */
const pieces =
  /\[((?:\\.|[^\\\]])*)\]\(([^()\s]*)\)|\*\*((?:\\.|[^\\*])*)\*\*|((?:\\.|[^\\[*])+|.)/gsu;

const unescaped = (text: string) => text.replace(/\\(.)/gsu, '$1');

/** Parses a stored summary: only the Markdown that the events module writes. */
export const readSentence = (summary: string): Span[] => spansOf(summary, undefined);

const spansOf = (markdown: string, path: string | undefined): Span[] =>
  [...markdown.matchAll(pieces)].flatMap(([, label, target, bold, words]) => {
    if (label !== undefined) return spansOf(label, target);
    const text = unescaped(bold ?? words ?? '');
    if (text === '') return [];
    return [{ text, bold: bold !== undefined, ...(path === undefined ? {} : { path }) }];
  });

export const plainText = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('');

/** The URL of a path in a sentence. */
export const absoluteUrl = (baseUrl: string, path: string): string =>
  `${baseUrl.replace(/\/+$/, '')}${path}`;
