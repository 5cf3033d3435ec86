import { expect, test } from 'vitest';
import type { Db } from './db/database.ts';
import { defineLookup, lookupRunner } from './hooks.ts';

const db = {} as Db;
const doubled = defineLookup<{ readonly number: number }, number>('twice a number');
const module = { lookups: [doubled.answeredBy(async (_db, { number }) => 2 * number)] };

test('a lookup is answered by the module that knows', async () => {
  const lookUp = lookupRunner([{}, module]);
  expect(await lookUp(doubled, db, { number: 21 })).toBe(42);
});

test('a lookup that no module answers fails', async () => {
  await expect(lookupRunner([{}])(doubled, db, { number: 1 })).rejects.toThrow(
    "No module answers the lookup 'twice a number'",
  );
});

test('two answers to one lookup are refused at the start', () => {
  expect(() => lookupRunner([module, module])).toThrow(
    "Two modules answer the lookup 'twice a number'",
  );
});
