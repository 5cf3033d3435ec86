import { beginMurmur3, endMurmur3 } from './murmur3.ts';
import { bytesOf, type Facts, type Reading } from './reading.ts';

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
  /** 0 when the context cannot be sorted. */
  readonly bucket: (facts: Facts) => number;
  /** The field that decides for this context; undefined when chance does, or nothing. */
  readonly field: (facts: Facts) => string | undefined;
  /** Whether there is a bucket at all, found without hashing. */
  readonly sorts: (facts: Facts) => boolean;
}

const fieldsOf = ({ stickiness, defaultFields }: Sorting): readonly string[] => {
  if (stickiness === 'default') return defaultFields;
  return stickiness === 'random' ? [] : [stickiness];
};

/** A hash of 32 bits does not fit V8's integers, and its remainder of floats takes 120 ns, not 10. */
function remainder(hash: number, divisor: number): number {
  return (((hash >>> 1) % divisor) * 2 + (hash & 1)) % divisor;
}

export function compileSorter(sorting: Sorting, reading: Reading, chance: Chance): Sorter {
  const { buckets, stickiness } = sorting;
  const begun = beginMurmur3(bytesOf(`${sorting.group}:`), sorting.seed);
  const fields = fieldsOf(sorting);
  const texts = fields.map(reading.text);
  const id = reading.firstBytes(fields);
  const mayChance =
    sorting.otherwise === 'chance' || stickiness === 'default' || stickiness === 'random';
  return {
    bucket(facts) {
      const bytes = id(facts);
      if (bytes !== undefined) return remainder(endMurmur3(begun, bytes), buckets) + 1;
      return mayChance ? Math.floor(chance() * buckets) + 1 : 0;
    },
    field: (facts) => fields[texts.findIndex((text) => text(facts))],
    sorts: (facts) => mayChance || id(facts) !== undefined,
  };
}
