import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PlaceOfRecord } from './record-queries.ts';

/** So much of a page is read and written at a time. A record has 3 kB as a rule, and 2 MB where somebody means harm. */
const maxCharactersAtOnce = 1_000_000;

/** The ids of a page in parts that are not too long to be read at once; a record alone may be. */
export function partsOf(page: readonly PlaceOfRecord[]): number[][] {
  const parts: number[][] = [];
  let room = 0;
  for (const { eventId, characters } of page) {
    const part = parts.at(-1);
    if (part && characters <= room) part.push(eventId);
    else {
      parts.push([eventId]);
      room = maxCharactersAtOnce;
    }
    room -= characters;
  }
  return parts;
}

const listJson = (name: string, texts: readonly string[]) =>
  `{${JSON.stringify(name)}:[${texts.join(',')}]}`;

/** The JSON of a list, piece by piece; after each part of it others get their turn. */
async function* piecesOf(
  name: string,
  parts: readonly number[][],
  read: (eventIds: readonly number[]) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  yield `{${JSON.stringify(name)}:[`;
  let separator = '';
  for (const part of parts) {
    const texts = await read(part);
    if (texts.length === 0) continue;
    yield `${separator}${texts.join(',')}`;
    separator = ',';
    await nextTurn();
  }
  yield ']}';
}

/** The JSON of a list: at once where it is short, in pieces where it is not. */
export async function jsonOf(
  name: string,
  parts: readonly number[][],
  read: (eventIds: readonly number[]) => Promise<readonly string[]>,
): Promise<string | AsyncGenerator<string>> {
  if (parts.length > 1) return piecesOf(name, parts, read);
  return listJson(name, parts[0] ? await read(parts[0]) : []);
}
