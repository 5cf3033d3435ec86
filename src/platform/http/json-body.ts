import { badData } from '../errors.ts';
import { maxDepth, maxItems } from './storable.ts';

const unparseable = () => badData([{ path: '/body', message: '/body is not JSON' }]);

/** Returns whether an object has keys that would change its prototype if copied carelessly. */
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

/** A cheap test before parsing. Keys may be written with escapes. Almost no body matches. */
const suspicious = /__proto__|constructor|\\u00/;

/** Parses JSON. Throws the 400 for invalid text. */
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

const backslash = 92;

/** Returns the end of the string that begins at `start`. */
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

interface JsonBounds {
  readonly values: number;
  /** The maximum entries of one list or object. */
  readonly entries: number;
  readonly depth: number;
}

/**
 * Returns which bound a JSON text exceeds, in words. It runs before the text is parsed: 30 MB of `[],` become 400 MB of
 * values, and an object with 2 million keys takes 50 s.
 */
export function exceeded(text: string, bounds: JsonBounds): string | undefined {
  /** The number of commas in each enclosing list and object. */
  const commas: number[] = [];
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    if (letter === '"') {
      index = endOfString(text, index);
    } else if (letter === '[' || letter === '{') {
      values += 1;
      commas.push(0);
      if (commas.length > bounds.depth) return `is nested deeper than ${bounds.depth} levels`;
    } else if (letter === ']' || letter === '}') {
      commas.pop();
    } else if (letter === ',') {
      values += 1;
      const inside = (commas.pop() ?? 0) + 1;
      commas.push(inside);
      if (inside >= bounds.entries) {
        return `has a list or object with more than ${bounds.entries} entries`;
      }
    }
    if (values > bounds.values) return `contains more than ${bounds.values} values`;
  }
  return undefined;
}

/** Lists slightly over `maxItems` are refused after parsing, with their path. */
const maxEntries = 2 * maxItems;

/** Throws the 400 for a text that would take too long to parse. */
export function refuseExpensiveJson(text: string, values: number): void {
  const words = exceeded(text, { values, entries: maxEntries, depth: maxDepth });
  if (words) throw badData([{ path: '/body', message: `/body ${words}` }]);
}

const unbounded = Number.POSITIVE_INFINITY;

/** Returns whether a text holds more values. Reads no further than that. */
export const holdsMore = (text: string, values: number): boolean =>
  exceeded(text, { values, entries: unbounded, depth: unbounded }) !== undefined;
