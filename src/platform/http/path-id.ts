import { maxInteger } from '../contract/schema.ts';
import { notFound } from '../errors.ts';

/** Parses the id in a path. Anything but a number is a 404. */
export function pathId(what: string, text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id <= maxInteger)) throw notFound(what, text);
  return id;
}
