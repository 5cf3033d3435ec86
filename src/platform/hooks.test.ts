import { expect, test } from 'vitest';
import type { Db } from './db/database.ts';
import { defineLookup, lookupRunner } from './hooks.ts';

const db = {} as Db;
const doubled = defineLookup<{ readonly number: number }, number>('twice a number');
const module = { lookups: [doubled.answeredBy(async (_db, { number }) => 2 * number)] };

test('a lookup is answered by the module that registered it', async () => {
  const lookUp = lookupRunner([{}, module]);
  expect(await lookUp(doubled, db, { number: 21 })).toBe(42);
});

test('a lookup that no module answers fails', async () => {
  await expect(lookupRunner([{}])(doubled, db, { number: 1 })).rejects.toThrow(
    "No module answers the lookup 'twice a number'",
  );
});

test('two modules cannot answer the same lookup', () => {
  expect(() => lookupRunner([module, module])).toThrow(
    "Two modules answer the lookup 'twice a number'",
  );
});
