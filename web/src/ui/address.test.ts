import { expect, test } from 'vitest';
import { readHealthSearch } from '../insights/health/search.ts';
import { only } from './address.ts';

test('of an address only what a page reads remains, also under the same name', () => {
  const raw = { days: 9999, reason: 'fullyOn', other: 'x' };
  // As the router does it.
  const search = { ...raw, ...only(readHealthSearch)(raw) };
  expect(search).toEqual({ days: undefined, reason: 'fullyOn', other: undefined });
});
