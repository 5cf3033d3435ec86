import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordInPage } from './record-queries.ts';

/**
 * How much of a page is read and written at a time. A record usually has 3 kB, and up to 2 MB if someone abuses it.
 */
const maxCharactersAtOnce = 1_000_000;

/** Splits the ids of a page into parts that fit `maxCharactersAtOnce`. A single record may exceed it. */
export function splitPage(page: readonly RecordInPage[]): number[][] {
  const parts: number[][] = [];
  let remaining = 0;
  for (const { eventId, characters } of page) {
    const part = parts.at(-1);
    if (part && characters <= remaining) part.push(eventId);
    else {
      parts.push([eventId]);
      remaining = maxCharactersAtOnce;
    }
    remaining -= characters;
  }
  return parts;
}

const listJson = (name: string, texts: readonly string[]) =>
  `{${JSON.stringify(name)}:[${texts.join(',')}]}`;

/** The JSON of a list in pieces. Yields to other work after each part. */
async function* streamJson(
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

/** The JSON of a list: one text if it is short, pieces otherwise. */
export async function renderList(
  name: string,
  parts: readonly number[][],
  read: (eventIds: readonly number[]) => Promise<readonly string[]>,
): Promise<string | AsyncGenerator<string>> {
  if (parts.length > 1) return streamJson(name, parts, read);
  return listJson(name, parts[0] ? await read(parts[0]) : []);
}
