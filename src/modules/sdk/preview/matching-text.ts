/**
 * Writes a text that an expression probably matches, so that a constraint has an example. It knows the syntax that
 * people use: characters, classes, groups, alternatives, repetitions, and anchors. Returns undefined for anything
 * else. The caller evaluates the text, so a wrong one does no harm.
 */
export function matchOf(expression: string): string | undefined {
  const reader = { text: expression.replace(/^\(\?[a-z]+\)/, ''), at: 0 };
  try {
    const match = alternatives(reader);
    return reader.at === reader.text.length ? match : undefined;
  } catch {
    return undefined;
  }
}

interface Reader {
  readonly text: string;
  at: number;
}

const unknown = () => new Error('unknown syntax');

const peek = ({ text, at }: Reader): string | undefined => text[at];

function take(reader: Reader): string {
  const next = peek(reader);
  if (next === undefined) throw unknown();
  reader.at += 1;
  return next;
}

function accept(reader: Reader, expected: string): boolean {
  if (!reader.text.startsWith(expected, reader.at)) return false;
  reader.at += expected.length;
  return true;
}

/** The first alternative that is not empty. */
function alternatives(reader: Reader): string {
  const found = [sequence(reader)];
  while (accept(reader, '|')) found.push(sequence(reader));
  return found.find((each) => each !== '') ?? '';
}

const maxRepeated = 50;

function sequence(reader: Reader): string {
  let match = '';
  for (
    let next = peek(reader);
    next !== undefined && next !== '|' && next !== ')';
    next = peek(reader)
  ) {
    match += repeated(reader, atom(reader));
  }
  return match;
}

/** As few times as allowed, but once if possible. */
function repeated(reader: Reader, match: string): string {
  const braces = /^\{(\d+)(?:,(\d*))?\}/.exec(reader.text.slice(reader.at, reader.at + 12));
  if (braces) {
    reader.at += braces[0].length;
    accept(reader, '?');
    const least = Number(braces[1]);
    if (least > maxRepeated) throw unknown();
    return match.repeat(braces[2] === '0' ? 0 : Math.max(least, 1));
  }
  if (accept(reader, '*') || accept(reader, '+') || accept(reader, '?')) accept(reader, '?');
  return match;
}

function atom(reader: Reader): string {
  const next = take(reader);
  if (next === '^' || next === '$') return '';
  if (next === '.') return 'a';
  if (next === '[') return fromClass(reader);
  if (next === '\\') return escaped(take(reader));
  if (next === '(') {
    if (peek(reader) === '?' && !accept(reader, '?:')) throw unknown();
    const match = alternatives(reader);
    if (!accept(reader, ')')) throw unknown();
    return match;
  }
  if ('*+?'.includes(next)) throw unknown();
  return next;
}

const escapes: Readonly<Record<string, string>> = {
  d: '1',
  D: 'a',
  w: 'a',
  W: '-',
  s: ' ',
  S: 'a',
  b: '',
  A: '',
  z: '',
  t: '\t',
  n: '\n',
};

function escaped(letter: string): string {
  const match = escapes[letter];
  if (match !== undefined) return match;
  if (/[a-zA-Z0-9]/.test(letter)) throw unknown();
  return letter;
}

/** A character of a class. */
function fromClass(reader: Reader): string {
  const end = reader.text.indexOf(']', reader.at + 1);
  if (end < 0) throw unknown();
  const source = reader.text.slice(reader.at, end);
  if (source.includes('[')) throw unknown();
  reader.at = end + 1;
  if (!source.startsWith('^'))
    return source.startsWith('\\') ? escaped(source.charAt(1)) : source.charAt(0);
  const isOutside = (text: string) => new RegExp(`[${source}]`, 'u').test(text);
  const outside = ['a', '1', '-', ' ', 'é'].find(isOutside);
  if (outside === undefined) throw unknown();
  return outside;
}
