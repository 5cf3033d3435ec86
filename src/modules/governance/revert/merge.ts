import { isDeepStrictEqual } from 'node:util';
import { areDistributed, sortVariants } from '../../catalogue/strategy-types/index.ts';

/** A property that the reverted event and a later one changed differently. */
export interface Clash {
  /** The properties and keys that lead to it. */
  readonly path: readonly string[];
  /** The value to return to. */
  readonly wanted: unknown;
  /** The value that the event left. */
  readonly after: unknown;
  readonly now: unknown;
}

export interface Merged {
  readonly value: unknown;
  readonly clashes: readonly Clash[];
}

type Properties = Readonly<Record<string, unknown>>;

const equal = isDeepStrictEqual;

const isObject = (value: unknown): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What identifies the items of a list of objects. The variants of a dependency are names. Lists of numbers are sets; all
 * other lists are one value.
 */
const keysOfLists = new Map<string | undefined, (item: Properties) => string>(
  Object.entries({
    strategies: ({ id }: Properties) => String(id),
    links: ({ id }: Properties) => String(id),
    tags: ({ type, value }: Properties) => JSON.stringify([type, value]),
    dependencies: ({ feature }: Properties) => String(feature),
    variants: ({ name }: Properties) => String(name),
    permissions: ({ name, environment }: Properties) => JSON.stringify([name, environment]),
  }),
);

/** Names can be those of properties that every object has. */
const own = (object: Properties, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

const isSet = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number');

/**
 * Takes back what an event did, without what happened since: a three-way merge whose common state is the one after the
 * event. Where both changed the same, the present value stays, and the clash is reported.
 */
export function takeBack(
  { before, after }: { readonly before: unknown; readonly after: unknown },
  now: unknown,
  path: readonly string[] = [],
): Merged {
  if (equal(before, after) || equal(before, now)) return { value: now, clashes: [] };
  if (equal(after, now)) return { value: before, clashes: [] };
  if (isObject(before) && isObject(after) && isObject(now)) {
    return takeBackProperties(before, after, now, path);
  }
  if (Array.isArray(before) && Array.isArray(after) && Array.isArray(now)) {
    const keyOf = keysOfLists.get(path.at(-1));
    if (keyOf && [...before, ...after, ...now].every(isObject))
      return takeBackItems(before, after, now, path, keyOf);
    if (isSet(before) && isSet(after) && isSet(now)) return takeBackSet(before, after, now);
  }
  return { value: now, clashes: [{ path, wanted: before, after, now }] };
}

type Entries = ReadonlyMap<string, unknown>;

/** Entries that are there now keep their order. Those that come back follow. */
function takeBackEntries(
  before: Entries,
  after: Entries,
  now: Entries,
  path: readonly string[],
): { readonly entries: Entries; readonly clashes: readonly Clash[] } {
  const entries = new Map<string, unknown>();
  const clashes: Clash[] = [];
  for (const key of new Set([...now.keys(), ...before.keys(), ...after.keys()])) {
    const change = { before: before.get(key), after: after.get(key) };
    const merged = takeBack(change, now.get(key), [...path, key]);
    if (merged.value !== undefined) entries.set(key, merged.value);
    clashes.push(...merged.clashes);
  }
  return { entries, clashes };
}

function takeBackProperties(
  before: Properties,
  after: Properties,
  now: Properties,
  path: readonly string[],
): Merged {
  const of = (state: Properties) => new Map(Object.entries(state));
  const { entries, clashes } = takeBackEntries(of(before), of(after), of(now), path);
  return { value: Object.fromEntries(entries), clashes };
}

function takeBackItems(
  before: readonly Properties[],
  after: readonly Properties[],
  now: readonly Properties[],
  path: readonly string[],
  keyOf: (item: Properties) => string,
): Merged {
  const of = (items: readonly Properties[]) => new Map(items.map((item) => [keyOf(item), item]));
  const { entries, clashes } = takeBackEntries(of(before), of(after), of(now), path);
  const items = [...entries.values()];
  if (path.at(-1) === 'strategies') {
    const returned = returnedStrategies(before as never, after as never);
    return { value: inTheirPlaces(items as never, before as never, returned), clashes };
  }
  if (path.at(-1) !== 'variants') return { value: items, clashes };
  const variants = items as Parameters<typeof areDistributed>[0];
  // Their weights belong together.
  if (!areDistributed(variants)) {
    return { value: now, clashes: [{ path, wanted: before, after, now }] };
  }
  return { value: sortVariants(variants), clashes };
}

interface Placed {
  readonly id: string;
  readonly sortOrder: number;
}

/** The strategies that the change removed, or gave another sort order. */
function returnedStrategies(before: readonly Placed[], after: readonly Placed[]): Set<string> {
  const orders = new Map(after.map(({ id, sortOrder }) => [id, sortOrder]));
  return new Set(
    before.filter(({ id, sortOrder }) => orders.get(id) !== sortOrder).map(({ id }) => id),
  );
}

/** Among strategies with the same sort order, those that return are again between the ones that they were between. */
function inTheirPlaces(
  items: readonly Placed[],
  before: readonly Placed[],
  returned: ReadonlySet<string>,
): Placed[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const placed = items.filter(({ id }) => !returned.has(id));
  for (const [place, { id }] of before.entries()) {
    const item = byId.get(id);
    if (!item || !returned.has(id)) continue;
    const earlier = new Set(before.slice(0, place).map((each) => each.id));
    const isEqual = ({ sortOrder }: Placed) => sortOrder === item.sortOrder;
    const previous = placed.findLastIndex((each) => isEqual(each) && earlier.has(each.id));
    const next = previous === -1 ? placed.findIndex(isEqual) : previous + 1;
    placed.splice(next === -1 ? placed.length : next, 0, item);
  }
  return placed;
}

function takeBackSet(
  before: readonly number[],
  after: readonly number[],
  now: readonly number[],
): Merged {
  const added = after.filter((item) => !before.includes(item));
  const removed = before.filter((item) => !after.includes(item));
  const kept = now.filter((item) => !added.includes(item));
  return { value: [...new Set([...kept, ...removed])].sort((a, b) => a - b), clashes: [] };
}

/** The value at the end of a path. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (!isObject(value)) return undefined;
  const next = own(value, key);
  const [itemKey, ...inItem] = rest;
  const keyOf = keysOfLists.get(key);
  if (!Array.isArray(next) || !keyOf || itemKey === undefined) return valueAt(next, rest);
  return valueAt(
    next.find((item) => keyOf(item) === itemKey),
    inItem,
  );
}
