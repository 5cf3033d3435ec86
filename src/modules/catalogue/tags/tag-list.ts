import type { Tag } from './contract.ts';

export const isTag =
  ({ type, value }: Tag) =>
  (other: Tag): boolean =>
    other.type === type && other.value === value;

/** One text per tag, for sets and maps of them. */
export const keyOf = ({ type, value }: Tag): string => JSON.stringify([type, value]);

export const keysOf = (tags: readonly Tag[]): ReadonlySet<string> => new Set(tags.map(keyOf));

/** By code points, as the database orders: UTF-16 puts emoji before some letters. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Each tag once, by type and value, and nothing in it but these. */
export function tidy(tags: readonly Tag[]): Tag[] {
  const distinct = new Map(tags.map((tag) => [keyOf(tag), tag]));
  return [...distinct.values()]
    .map(({ type, value }) => ({ type, value }))
    .sort((a, b) => compare(a.type, b.type) || compare(a.value, b.value));
}

export const without = (tags: readonly Tag[], others: readonly Tag[]): Tag[] => {
  const keys = keysOf(others);
  return tags.filter((tag) => !keys.has(keyOf(tag)));
};
