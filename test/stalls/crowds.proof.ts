import { expect, test } from 'vitest';
import { onFreshBurgee } from '../../bench/on-burgee.ts';
import { buildBurgee } from '../../bench/process.ts';
import { findCrowding, maxCrowdMb, maxCrowdWaitMs } from '../../bench/stalls/crowds.ts';

test('a client with a hundred connections delays others by less than half a second and adds less than 150 MB', async () => {
  buildBurgee();
  const { STALLS_ONLY } = process.env;
  const only = STALLS_ONLY === undefined ? undefined : new RegExp(STALLS_ONLY);
  const results = await onFreshBurgee((fresh) =>
    findCrowding(fresh, { features: 10_000, only, say: console.log }),
  );
  expect(results.length).toBeGreaterThan(0);
  expect(results.filter(({ waitMs }) => waitMs >= maxCrowdWaitMs)).toEqual([]);
  expect(results.filter(({ grownMb }) => grownMb >= maxCrowdMb)).toEqual([]);
  expect(results.filter(({ failed }) => Object.keys(failed).length > 0)).toEqual([]);
}, 1_800_000);
