import { type Static, type TSchema, Type } from 'typebox';

interface ListOptions {
  readonly description: string;
  readonly maxItems: number;
  /** Whether commas separate items as well. Otherwise a comma is part of an item. */
  readonly commas?: true;
}

/**
 * A query parameter with several values: `tag=a&tag=b`, `tag[]=a&tag[]=b`, `tag[0]=a&tag[1]=b` and, if commas separate
 * items, `tag=a,b`.
 */
export const listOf = <S extends TSchema>(
  items: S,
  { description, maxItems, commas }: ListOptions,
) =>
  Type.Unsafe<Static<S>[]>({
    type: 'array',
    items,
    maxItems,
    description: commas
      ? `${description}; repeated, or separated by commas`
      : `${description}; repeatable`,
    ...(commas && { 'x-commas': true }),
  });
