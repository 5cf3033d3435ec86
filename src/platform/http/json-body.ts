import { badData } from '../errors.ts';

const unparseable = () => badData([{ path: '/body', message: '/body is not JSON' }]);

/** Keys that change what an object inherits once somebody copies them carelessly. */
const isPoisoned = (value: object): boolean => {
  if (Object.hasOwn(value, '__proto__')) return true;
  if (!Object.hasOwn(value, 'constructor')) return false;
  const { constructor: inner } = value as { constructor: unknown };
  return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype');
};

function refusePoison(document: unknown): void {
  const left = [document];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (isPoisoned(value)) throw unparseable();
    for (const item of Object.values(value)) left.push(item);
  }
}

/** A key may be written with escapes. Almost no body has any of these. */
const suspicious = /__proto__|constructor|\\u00/;

/** The value of a JSON text; throws the 400 for what is none. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw unparseable();
  }
  if (suspicious.test(text)) refusePoison(value);
  return value;
}

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const openings = new Set([...'[{'].map((each) => each.charCodeAt(0)));
const comma = ','.charCodeAt(0);

/** Where the string that begins at `start` ends. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Whether a JSON text holds more values than `most`: to parse 30 MB of `[],` takes 400 MB of memory. */
export function holdsMoreValues(text: string, most: number): boolean {
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === comma || openings.has(code)) values += 1;
    if (values > most) return true;
  }
  return false;
}
