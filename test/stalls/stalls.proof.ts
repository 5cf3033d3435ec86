import { expect, test } from 'vitest';
import { onFreshBurgee } from '../../bench/on-burgee.ts';
import { buildBurgee } from '../../bench/process.ts';
import { findStalls, maxWaitMs } from '../../bench/stalls/stalls.ts';

test('no single request delays another one by a quarter of a second', async () => {
  buildBurgee();
  const { STALLS_ONLY } = process.env;
  const only = STALLS_ONLY === undefined ? undefined : new RegExp(STALLS_ONLY);
  const stalls = await onFreshBurgee((fresh) =>
    findStalls(fresh, { features: 10_000, minutes: 8, only, say: console.log }),
  );
  expect(stalls.length).toBeGreaterThan(only === undefined ? 1_000 : 0);
  expect(stalls.filter(({ waitMs }) => waitMs >= maxWaitMs)).toEqual([]);
  expect(stalls.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
});
