import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { badData, type Fault } from '../errors.ts';

const pointer = Type.String({
  maxLength: 1000,
  pattern: '^(/.*)?$',
  'x-fault': 'must be a JSON pointer, such as /description',
});

/** RFC 6902. What an operation needs beside its `op` is asked for when it is applied. */
export const JsonPatchSchema = Type.Array(
  Type.Object({
    op: Type.Unsafe<'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'>({
      type: 'string',
      enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'],
    }),
    path: pointer,
    from: Type.Optional(pointer),
    value: Type.Optional(Type.Unknown()),
  }),
  { maxItems: 1000, description: 'A JSON Patch (RFC 6902)' },
);

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

/** What is wrong with a patch before anybody looks at what it is applied to. */
export const patchFaults = (patch: JsonPatch): Fault[] =>
  patch.flatMap((operation, index) => {
    // The schema has told already of what is not even an object.
    const needed = operation?.op === undefined ? undefined : needs[operation.op];
    if (!needed || needed in operation) return [];
    const path = `/body/${index}/${needed}`;
    return [{ path, message: `${path} is missing: '${operation.op}' needs it` }];
  });

/** Deeper than any document of ours: whoever walks the outcome must not run out of stack. */
const maxDepth = 50;

/** Copies of copies grow like powers of two: thirty operations would fill the memory. */
const maxCharacters = 2 * 1024 * 1024;

type Container = unknown[] | Record<string, unknown>;

/** Where a pointer leads: a key of an object, or a place in a list. */
interface Place {
  readonly container: Container;
  readonly key: string | number;
}

const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null;

/** The key that a token names in a container; undefined when there is nothing, and nothing can come there. */
function keyIn(container: Container, token: string, isNew: boolean): string | number | undefined {
  if (!Array.isArray(container)) {
    return Object.hasOwn(container, token) || (isNew && token !== '__proto__') ? token : undefined;
  }
  if (isNew && token === '-') return container.length;
  const places = isNew ? container.length + 1 : container.length;
  return /^(?:0|[1-9]\d{0,8})$/.test(token) && Number(token) < places ? Number(token) : undefined;
}

const valueAt = ({ container, key }: Place): unknown =>
  (container as Readonly<Record<string | number, unknown>>)[key];

function placeOf(document: Container, pointer: string, isNew: boolean): Place | undefined {
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

function put({ container, key }: Place, value: unknown): void {
  if (Array.isArray(container)) container.splice(Number(key), 0, value);
  else container[key] = value;
}

function take({ container, key }: Place): unknown {
  if (Array.isArray(container)) return container.splice(Number(key), 1)[0];
  const value = container[key];
  delete container[key];
  return value;
}

const nothingAt = (pointer: string) => `there is nothing at '${pointer}'`;

/** Why an operation cannot be carried out; undefined when it was. */
function carryOut(document: Container, operation: JsonPatch[number]): string | undefined {
  const { op, path, from = '', value } = operation;
  // What is moved is gone from its place before it comes to the new one.
  if (op === 'move' || op === 'copy') {
    const source = placeOf(document, from, false);
    if (!source) return nothingAt(from);
    if (op === 'move' && path.startsWith(`${from}/`)) return `'${path}' lies inside of '${from}'`;
    const moved = op === 'move' ? take(source) : structuredClone(valueAt(source));
    const target = placeOf(document, path, true);
    if (!target) return nothingAt(path);
    put(target, moved);
    return undefined;
  }
  const place = placeOf(document, path, op === 'add');
  if (!place) return nothingAt(path);
  if (op === 'test') {
    return isDeepStrictEqual(valueAt(place), value) ? undefined : `'${path}' has another value`;
  }
  if (op === 'replace' && Array.isArray(place.container)) take(place);
  if (op === 'remove') take(place);
  else put(place, structuredClone(value));
  return undefined;
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (!isContainer(value)) return false;
  return depth > maxDepth || Object.values(value).some((item) => isTooDeep(item, depth + 1));
}

/**
 * A patched copy; the original stays as it is. An operation that cannot be carried out is a 400 that
 * names it. Whoever calls validates the outcome: a patch can make anything of anything. By hand,
 * because the library that we tried followed `constructor`, `length` and what objects inherit.
 */
export function patched(original: object, patch: JsonPatch): unknown {
  // In a wrapper, so that an operation on the whole document ("") has something to replace.
  const wrapper: { document: unknown } = { document: structuredClone(original) };
  const within = (pointer: string) => `/document${pointer}`;
  let grown = 0;
  for (const [index, operation] of patch.entries()) {
    const at = `/body/${index}`;
    const { op, path, from } = operation;
    const refuse = (reason: string) => badData([{ path: at, message: `${at} (${op}) ${reason}` }]);
    const reason = carryOut(wrapper as Container, {
      ...operation,
      path: within(path),
      ...(from !== undefined && { from: within(from) }),
    });
    if (reason) throw refuse(`cannot be applied: ${reason.replaceAll("'/document", "'")}`);
    // Only these two can make a document grow beyond what the body brought.
    if (op === 'copy' || op === 'move') {
      if (isTooDeep(wrapper.document)) throw refuse('nests too deep');
      grown = op === 'copy' ? JSON.stringify(wrapper.document).length : grown;
      if (grown > maxCharacters) throw refuse('copies too much');
    }
  }
  if (isTooDeep(wrapper.document)) {
    throw badData([{ path: '/body', message: `/body nests deeper than ${maxDepth} levels` }]);
  }
  return wrapper.document;
}
