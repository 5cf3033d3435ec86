import { isDeepStrictEqual } from 'node:util';
import { badData, type Fault } from '../errors.ts';
import { tokensOf } from './json-pointer.ts';

type JsonPatch = readonly {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}[];

const needs: Readonly<Record<string, 'value' | 'from' | undefined>> = {
  add: 'value',
  replace: 'value',
  test: 'value',
  move: 'from',
  copy: 'from',
};

/** Returns the faults of a patch that do not depend on the document. */
export const patchFaults = (patch: JsonPatch): Fault[] =>
  patch.flatMap((operation, index) => {
    // The schema reports operations that are not objects.
    const needed = operation?.op === undefined ? undefined : needs[operation.op];
    if (!needed || needed in operation) return [];
    const path = `/body/${index}/${needed}`;
    return [{ path, message: `${path} is missing: '${operation.op}' requires it` }];
  });

/** Deeper than any of our documents, and shallow enough to be walked recursively. */
const maxDepth = 50;

/** The maximum total size of a patch's copies. Copies of copies double: thirty of them would fill the memory. */
const maxCopiedCharacters = 1024 * 1024;

type Container = unknown[] | Record<string, unknown>;

/** The target of a pointer: a key of an object, or an index of a list. */
interface Location {
  readonly container: Container;
  readonly key: string | number;
}

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null;

/** Returns the key that a token names in a container. Returns undefined if it does not exist and cannot be added. */
function keyIn(container: Container, token: string, isNew: boolean): string | number | undefined {
  if (!Array.isArray(container)) {
    return Object.hasOwn(container, token) || (isNew && token !== '__proto__') ? token : undefined;
  }
  if (isNew && token === '-') return container.length;
  const length = isNew ? container.length + 1 : container.length;
  return /^(?:0|[1-9]\d{0,8})$/.test(token) && Number(token) < length ? Number(token) : undefined;
}

const valueAt = ({ container, key }: Location): unknown =>
  (container as Readonly<Record<string | number, unknown>>)[key];

function locate(document: Container, pointer: string, isNew: boolean): Location | undefined {
  const tokens = tokensOf(pointer);
  let container = document;
  for (const [index, token] of tokens.entries()) {
    const isLast = index === tokens.length - 1;
    const key = keyIn(container, token, isNew && isLast);
    if (key === undefined) return undefined;
    if (isLast) return { container, key };
    const value = valueAt({ container, key });
    if (!isContainer(value)) return undefined;
    container = value;
  }
  return undefined;
}

function put({ container, key }: Location, value: unknown): void {
  if (Array.isArray(container)) container.splice(Number(key), 0, value);
  else container[key] = value;
}

function take({ container, key }: Location): unknown {
  if (Array.isArray(container)) return container.splice(Number(key), 1)[0];
  const value = container[key];
  delete container[key];
  return value;
}

const nothingAt = (pointer: string) => `nothing exists at '${pointer}'`;

/**
 * Returns the approximate JSON length of a value, or Infinity if it exceeds `most` or nests deeper than `maxDepth`. It
 * stops as soon as that is certain.
 */
function sizeOf(value: unknown, most: number, depth = 0): number {
  if (typeof value === 'string') return value.length + 2;
  if (!isContainer(value)) return 5;
  if (depth > maxDepth) return Number.POSITIVE_INFINITY;
  let size = 2;
  for (const key of Object.keys(value)) {
    const item = valueAt({ container: value, key });
    size += key.length + 3 + sizeOf(item, most - size, depth + 1);
    if (size > most) return Number.POSITIVE_INFINITY;
  }
  return size;
}

/** The remaining size that a patch may copy. */
interface Allowance {
  characters: number;
}

/** Applies an operation. Returns why it failed, or undefined. */
function carryOut(
  document: Container,
  { op, path, from = '', value }: JsonPatch[number],
  allowance: Allowance,
): string | undefined {
  if (op === 'move' || op === 'copy') {
    const source = locate(document, from, false);
    if (!source) return nothingAt(from);
    if (op === 'move' && path.startsWith(`${from}/`)) return `'${path}' is inside '${from}'`;
    if (op === 'copy') {
      // Only the copied value is measured, before it is copied. Measuring the whole document after each operation took
      // 50 s for a patch of 240 kB.
      allowance.characters -= sizeOf(valueAt(source), allowance.characters);
      if (allowance.characters < 0) return 'copies too much, or nests too deeply';
    }
    // A moved value is removed before it is added at its target.
    const moved = op === 'move' ? take(source) : structuredClone(valueAt(source));
    const target = locate(document, path, true);
    if (!target) return nothingAt(path);
    put(target, moved);
    return undefined;
  }
  const location = locate(document, path, op === 'add');
  if (!location) return nothingAt(path);
  if (op === 'test') {
    return isDeepStrictEqual(valueAt(location), value)
      ? undefined
      : `'${path}' has a different value`;
  }
  if (op === 'replace' && Array.isArray(location.container)) take(location);
  if (op === 'remove') take(location);
  else put(location, structuredClone(value));
  return undefined;
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (!isContainer(value)) return false;
  return depth > maxDepth || Object.values(value).some((item) => isTooDeep(item, depth + 1));
}

/**
 * Returns a patched copy of a document. An operation that cannot be applied is a 400 that names it. The caller
 * validates the result, because a patch can change everything. Written by hand, because the library that we tried
 * followed `constructor`, `length` and inherited properties.
 *
 * The work is proportional to the document, the patch, and what it copies.
 */
export function patched(original: object, patch: JsonPatch): unknown {
  // The wrapper lets an operation replace the whole document (path "").
  const wrapper: { document: unknown } = { document: structuredClone(original) };
  const within = (pointer: string) => `/document${pointer}`;
  const allowance: Allowance = { characters: maxCopiedCharacters };
  for (const [index, operation] of patch.entries()) {
    const { op, path, from } = operation;
    const reason = carryOut(
      wrapper as Container,
      { ...operation, path: within(path), ...(from !== undefined && { from: within(from) }) },
      allowance,
    );
    if (reason) {
      const at = `/body/${index}`;
      const message = `${at} (${op}) cannot be applied: ${reason.replaceAll("'/document", "'")}`;
      throw badData([{ path: at, message }]);
    }
  }
  if (isTooDeep(wrapper.document)) {
    throw badData([{ path: '/body', message: `/body is nested deeper than ${maxDepth} levels` }]);
  }
  return wrapper.document;
}
