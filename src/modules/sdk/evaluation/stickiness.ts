import { type Hashable, type HashState, murmur3After, prefixState } from './murmur3.ts';
import { bytesOf, type Facts, type Reader, type Reading } from './reading.ts';

/** A number from 0 up to, but not including, 1. */
export type Chance = () => number;

export interface Sorting {
  /** Who has the same group and the same id falls into the same bucket. */
  readonly group: string;
  readonly seed: number;
  /** Buckets are numbered from 1 to this. */
  readonly buckets: number;
  readonly stickiness: string;
  /** What 'default' sticks to: the first of these that the context has, and chance without any. */
  readonly defaultFields: readonly string[];
  /** Whether those whom nothing sticks to are sorted by chance, or not at all. */
  readonly otherwise: 'chance' | 'nowhere';
}

export interface Sorter {
  /** The hash of the group, which the id follows. */
  readonly prefix: HashState;
  readonly id: Reader<Hashable>;
  readonly buckets: number;
  /** Undefined: whom nothing sticks to is not sorted. */
  readonly chance: Chance | undefined;
  readonly fields: readonly string[];
  readonly texts: readonly Reader<string>[];
}

const fieldsOf = ({ stickiness, defaultFields }: Sorting): readonly string[] => {
  if (stickiness === 'default') return defaultFields;
  return stickiness === 'random' ? [] : [stickiness];
};

export function compileSorter(sorting: Sorting, reading: Reading, chance: Chance): Sorter {
  const { buckets, stickiness } = sorting;
  const fields = fieldsOf(sorting);
  const mayChance =
    sorting.otherwise === 'chance' || stickiness === 'default' || stickiness === 'random';
  return {
    prefix: prefixState(bytesOf(`${sorting.group}:`), sorting.seed),
    id: reading.firstBytes(fields),
    buckets,
    chance: mayChance ? chance : undefined,
    fields,
    texts: fields.map(reading.text),
  };
}

/** A hash of 32 bits does not fit V8's integers, and its remainder of floats takes 120 ns, not 10. */
export function remainder(hash: number, divisor: number): number {
  return (((hash >>> 1) % divisor) * 2 + (hash & 1)) % divisor;
}

/** 0 when the context cannot be sorted. */
export function bucketOf({ prefix, id, buckets, chance }: Sorter, facts: Facts): number {
  const bytes = id(facts);
  if (bytes !== undefined) return remainder(murmur3After(prefix, bytes), buckets) + 1;
  if (chance === undefined) return 0;
  facts.isFleeting = true;
  return Math.floor(chance() * buckets) + 1;
}

/** The field that decides for this context; undefined when chance does, or nothing. */
export const fieldOf = ({ fields, texts }: Sorter, facts: Facts): string | undefined =>
  fields[texts.findIndex((text) => text(facts))];
