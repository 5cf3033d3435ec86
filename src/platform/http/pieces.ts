import { setImmediate as nextTurn } from 'node:timers/promises';

/** A part of a document as JSON: the value at a path, or further entries of the list or object there. */
export interface Piece {
  readonly path: readonly string[];
  readonly json: string;
  readonly addsEntries: boolean;
}

/** Parsing this many characters takes about a millisecond. */
const pieceCharacters = 64 * 1024;

type Container = unknown[] | Record<string, unknown>;

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null;

/** Returns the approximate JSON length of a value; stops counting at `most`. */
function sizeOf(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (!isContainer(value)) return 5;
  let size = 2;
  for (const [key, item] of Object.entries(value)) {
    size += key.length + 3 + sizeOf(item, most - size);
    if (size > most) return size;
  }
  return size;
}

/** Splits a document into pieces that are each parsed within about a millisecond. */
export function* piecesOf(value: unknown, path: readonly string[] = []): Generator<Piece> {
  if (!isContainer(value) || sizeOf(value, pieceCharacters) <= pieceCharacters) {
    yield { path, json: JSON.stringify(value), addsEntries: false };
    return;
  }
  const isList = Array.isArray(value);
  yield { path, json: isList ? '[]' : '{}', addsEntries: false };
  let entries: [string, unknown][] = [];
  let size = 0;
  const together = (): Piece => ({
    path,
    json: JSON.stringify(isList ? entries.map(([, item]) => item) : Object.fromEntries(entries)),
    addsEntries: true,
  });
  for (const [key, item] of Object.entries(value)) {
    const own = sizeOf(item, pieceCharacters);
    if (size + own > pieceCharacters && entries.length > 0) {
      yield together();
      entries = [];
      size = 0;
    }
    if (own > pieceCharacters) {
      yield* piecesOf(item, [...path, key]);
    } else {
      entries.push([key, item]);
      size += own + key.length;
    }
  }
  if (entries.length > 0) yield together();
}

/** Joins the pieces of a document, and yields to other requests between them. */
export async function joined(pieces: readonly Piece[]): Promise<unknown> {
  const root: Record<string, unknown> = {};
  for (const { path, json, addsEntries } of pieces) {
    const keys = ['document', ...path];
    const last = keys.pop() as string;
    const container = keys.reduce<Record<string, unknown>>(
      (outer, key) => outer[key] as Record<string, unknown>,
      root,
    );
    const value: unknown = JSON.parse(json);
    if (!addsEntries) container[last] = value;
    else if (Array.isArray(value)) (container[last] as unknown[]).push(...value);
    else Object.assign(container[last] as object, value);
    await nextTurn();
  }
  return root.document;
}
