import { notFound } from '../errors.ts';
import { maxInteger } from './schema.ts';

/** The number that an address names; anything else is the id of nothing. */
export function pathId(what: string, text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id <= maxInteger)) throw notFound(what, text);
  return id;
}
