import { badData, type Fault, maxFaults } from '../errors.ts';
import { escapeToken } from './json-pointer.ts';

/** Deeper than any real body. A megabyte of brackets would overflow the stack of recursive code. */
export const maxDepth = 100;

/** Longer than any list that a request may contain. */
export const maxItems = 10_000;

/**
 * Returns the fault of a text with NUL or lone surrogates. JSON and URLs allow them, but PostgreSQL cannot store them
 * as text.
 */
const textFault = (text: string): string | undefined => {
  if (text.includes('\0')) return 'contains a NUL character';
  return text.isWellFormed() ? undefined : 'contains a lone surrogate';
};

/** Called for faults only: a body of 1 MiB can contain 500,000 values. */
const pathOf = (keys: readonly (string | number)[]) =>
  `/${keys.map((key) => escapeToken(String(key))).join('/')}`;

/**
 * Adds a fault for each text that cannot be stored, and stops at `maxFaults`. Throws the 400 for a value that nests too
 * deep or contains a list that is too long.
 */
export function findUnstorable(value: unknown, keys: (string | number)[], faults: Fault[]): void {
  if (typeof value === 'string') {
    const words = textFault(value);
    if (words) faults.push({ path: pathOf(keys), message: `${pathOf(keys)} ${words}` });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (keys.length > maxDepth) {
    throw badData([{ path: '/body', message: `/body is nested deeper than ${maxDepth} levels` }]);
  }
  if (Array.isArray(value)) {
    if (value.length > maxItems) {
      const path = pathOf(keys);
      throw badData([{ path, message: `${path} has more than ${maxItems} items` }]);
    }
    for (let index = 0; index < value.length && faults.length < maxFaults; index += 1) {
      keys.push(index);
      findUnstorable(value[index], keys, faults);
      keys.pop();
    }
    return;
  }
  for (const key of Object.keys(value)) {
    if (faults.length >= maxFaults) return;
    keys.push(key);
    const words = textFault(key);
    if (words) faults.push({ path: pathOf(keys), message: `${pathOf(keys)} ${words}` });
    findUnstorable((value as Readonly<Record<string, unknown>>)[key], keys, faults);
    keys.pop();
  }
}

/** Refuses path parameters that no stored name can equal, before they are looked up. */
export function refuseUnstorable(params: object): void {
  if (Object.keys(params).length === 0) return;
  const faults: Fault[] = [];
  findUnstorable(params, ['params'], faults);
  if (faults.length > 0) throw badData(faults);
}
