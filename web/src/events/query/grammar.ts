/**
 * The language of the query bar: qualifiers such as `type:feature-*`, `-actor:bot` and `after:tuesday`, and one text.
 * Parsing never fails: problems are reported with their range.
 */
export const qualifiers = [
  { name: 'type', words: 'Event type', sample: 'type:feature-*' },
  { name: 'project', words: 'Project', sample: 'project:web-shop' },
  { name: 'feature', words: 'Feature', sample: 'feature:dark-mode' },
  { name: 'env', words: 'Environment', sample: 'env:production' },
  { name: 'actor', words: 'User, token, or service account', sample: 'actor:me' },
  { name: 'on', words: 'On a date', sample: 'on:tuesday' },
  { name: 'after', words: 'Since a date or time', sample: 'after:7d' },
  { name: 'before', words: 'Before a date or time', sample: 'before:2026-11-01' },
  { name: 'id', words: 'Event ID', sample: 'id:4218' },
] as const;

export type QualifierName = (typeof qualifiers)[number]['name'];

/** Other names for qualifiers. */
const aliases: Readonly<Record<string, QualifierName>> = {
  environment: 'env',
  flag: 'feature',
  by: 'actor',
  who: 'actor',
  since: 'after',
  until: 'before',
  action: 'type',
};

const names: ReadonlySet<string> = new Set(qualifiers.map(({ name }) => name));

/** A range of the text: `end` is exclusive. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface Value extends TextRange {
  readonly text: string;
}

export interface Qualifier extends TextRange {
  readonly kind: 'qualifier';
  readonly name: QualifierName;
  readonly excluded: boolean;
  /** Alternatives. The first one starts at `valueStart`. */
  readonly values: readonly Value[];
  readonly valueStart: number;
}

interface FreeText extends TextRange {
  readonly kind: 'text';
  readonly text: string;
  readonly quoted: boolean;
}

export type Token = Qualifier | FreeText;

export interface Problem extends TextRange {
  readonly message: string;
}

export interface Parsed {
  readonly tokens: readonly Token[];
  readonly problems: readonly Problem[];
}

const isSpace = (sign: string | undefined): boolean => sign === undefined || /\s/.test(sign);

interface Word extends TextRange {
  readonly text: string;
  readonly quoted: boolean;
  readonly closed: boolean;
}

/** Reads a quoted piece, or a bare one up to a space or one of `stops`. */
function readWord(source: string, start: number, stops: string): Word {
  let at = start;
  let text = '';
  if (source[at] !== '"') {
    while (at < source.length && !isSpace(source[at]) && !stops.includes(source[at] ?? '')) at += 1;
    return { start, end: at, text: source.slice(start, at), quoted: false, closed: true };
  }
  at += 1;
  while (at < source.length && source[at] !== '"') {
    if (source[at] === '\\' && at + 1 < source.length) at += 1;
    text += source[at];
    at += 1;
  }
  const closed = at < source.length;
  return { start, end: closed ? at + 1 : at, text, quoted: true, closed };
}

const unclosed = (word: Word): Problem[] =>
  word.closed ? [] : [{ start: word.start, end: word.end, message: 'Missing closing quote' }];

/** `a,"b c",d` behind a colon. */
function readValues(source: string, start: number): { words: Word[]; end: number } {
  const words: Word[] = [];
  let at = start;
  while (true) {
    const word = readWord(source, at, ',');
    if (word.text !== '' || word.quoted) words.push(word);
    at = word.end;
    if (source[at] !== ',') return { words, end: at };
    at += 1;
  }
}

const head = /^(-?)([a-z]+):/i;

export function parse(source: string): Parsed {
  const tokens: Token[] = [];
  const problems: Problem[] = [];
  let at = 0;
  while (at < source.length) {
    if (isSpace(source[at])) {
      at += 1;
      continue;
    }
    const start = at;
    const [whole, minus, given = ''] = head.exec(source.slice(at)) ?? [];
    if (whole === undefined) {
      const word = readWord(source, at, '');
      problems.push(...unclosed(word));
      tokens.push({ kind: 'text', text: word.text, quoted: word.quoted, start, end: word.end });
      at = Math.max(word.end, start + 1);
      continue;
    }
    const valueStart = start + whole.length;
    const { words, end } = readValues(source, valueStart);
    at = end;
    const lower = given.toLowerCase();
    const name = aliases[lower] ?? lower;
    const place = { start, end };
    if (!names.has(name)) {
      problems.push({
        ...place,
        message: `Unknown qualifier “${given}:”. Put it in quotes to search for it as text`,
      });
      continue;
    }
    for (const word of words) problems.push(...unclosed(word));
    if (words.length === 0) {
      problems.push({ ...place, message: `${given}: needs a value, e.g. ${sampleOf(name)}` });
    }
    tokens.push({
      kind: 'qualifier',
      name: name as QualifierName,
      excluded: minus === '-',
      values: words.map((word) => ({ text: word.text, start: word.start, end: word.end })),
      valueStart,
      ...place,
    });
  }
  const texts = tokens.filter((token) => token.kind === 'text' && token.quoted);
  const second = texts[1];
  if (second) {
    problems.push({
      start: second.start,
      end: second.end,
      message: 'Only one quoted phrase is supported. Combine them into one',
    });
  }
  return { tokens, problems };
}

const sampleOf = (name: string): string =>
  qualifiers.find((each) => each.name === name)?.sample ?? '';

/** A value in the syntax of the query, quoted if necessary. */
export const written = (value: string): string =>
  value === '' || /[\s",\\]/.test(value)
    ? `"${value.replace(/["\\]/g, (sign) => `\\${sign}`)}"`
    : value;

const writtenText = (text: string): string =>
  head.test(text) || /^"|[\\]/.test(text) ? written(text) : text;

export function print(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.kind === 'text') {
        return token.quoted
          ? `"${token.text.replace(/["\\]/g, (sign) => `\\${sign}`)}"`
          : writtenText(token.text);
      }
      const values = token.values.map(({ text }) => written(text)).join(',');
      return `${token.excluded ? '-' : ''}${token.name}:${values}`;
    })
    .join(' ');
}

/** The free text: separate words are joined with single spaces. */
export const freeTextOf = (tokens: readonly Token[]): string =>
  tokens
    .filter((token) => token.kind === 'text')
    .map(({ text }) => text)
    .join(' ')
    .trim();

const qualifierOf = (name: QualifierName, value: string, excluded = false): Qualifier => ({
  kind: 'qualifier',
  name,
  excluded,
  values: [{ text: value, start: 0, end: 0 }],
  valueStart: 0,
  start: 0,
  end: 0,
});

/** All values of a qualifier. */
export const valuesIn = (source: string, name: QualifierName, excluded = false): string[] =>
  parse(source).tokens.flatMap((token) =>
    token.kind === 'qualifier' && token.name === name && token.excluded === excluded
      ? token.values.map(({ text }) => text)
      : [],
  );

/** Adds a value to a query, or removes it. */
export function toggleValue(source: string, name: QualifierName, value: string): string {
  const { tokens } = parse(source);
  const isIn = valuesIn(source, name).includes(value);
  if (isIn) {
    return print(
      tokens.flatMap((token) => {
        if (token.kind === 'text' || token.name !== name || token.excluded) return [token];
        const values = token.values.filter(({ text }) => text !== value);
        return values.length === 0 ? [] : [{ ...token, values }];
      }),
    );
  }
  const index = tokens.findIndex(
    (token) => token.kind === 'qualifier' && token.name === name && !token.excluded,
  );
  const found = tokens[index];
  if (found?.kind !== 'qualifier') return print([...tokens, qualifierOf(name, value)]);
  const added = { ...found, values: [...found.values, { text: value, start: 0, end: 0 }] };
  return print(tokens.with(index, added));
}

/** Sets the only value of a qualifier, or removes it. */
export function setValue(source: string, name: QualifierName, value: string | undefined): string {
  const others = parse(source).tokens.filter(
    (token) => token.kind === 'text' || token.name !== name,
  );
  return print(value === undefined ? others : [...others, qualifierOf(name, value)]);
}

/** Excludes a value from the result. */
export const excludeValue = (source: string, name: QualifierName, value: string): string => {
  const without = valuesIn(source, name).includes(value)
    ? toggleValue(source, name, value)
    : source;
  return print([...parse(without).tokens, qualifierOf(name, value, true)]);
};
