import { expect, test } from 'vitest';
import { readHealthSearch } from '../insights/health/search.ts';
import { only } from './address.ts';

test('a page removes search parameters from its URL that it does not read or that are invalid', () => {
  const raw = { days: 9999, reason: 'fullyOn', other: 'x' };
  // As the router does it.
  const search = { ...raw, ...only(readHealthSearch)(raw) };
  expect(search).toEqual({ days: undefined, reason: 'fullyOn', other: undefined });
});
