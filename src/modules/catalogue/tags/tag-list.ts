import type { Tag } from './tag-schema.ts';

export const isTag =
  ({ type, value }: Tag) =>
  (other: Tag): boolean =>
    other.type === type && other.value === value;

/** One text for each tag, as a key of sets and maps. */
export const keyOf = ({ type, value }: Tag): string => JSON.stringify([type, value]);

export const keysOf = (tags: readonly Tag[]): ReadonlySet<string> => new Set(tags.map(keyOf));

/** By code points, as PostgreSQL sorts: UTF-16 puts emoji before some letters. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Removes duplicates and other properties, and sorts by type and value. */
export function normalizeTags(tags: readonly Tag[]): Tag[] {
  const distinct = new Map(tags.map((tag) => [keyOf(tag), tag]));
  return [...distinct.values()]
    .map(({ type, value }) => ({ type, value }))
    .sort((a, b) => compare(a.type, b.type) || compare(a.value, b.value));
}

export const without = (tags: readonly Tag[], others: readonly Tag[]): Tag[] => {
  const keys = keysOf(others);
  return tags.filter((tag) => !keys.has(keyOf(tag)));
};
