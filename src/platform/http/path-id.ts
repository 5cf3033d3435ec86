import { maxInteger } from '../contract/schema.ts';
import { notFound } from '../errors.ts';

/** The number that an address names; anything else is the id of nothing. */
export function pathId(what: string, text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id <= maxInteger)) throw notFound(what, text);
  return id;
}
