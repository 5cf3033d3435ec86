import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { type PeriodicWork, startTimers } from '../../src/platform/timers.ts';
import { testDatabase } from '../support/database.ts';

const log = createLogger('silent');

/** Starts the same work on several instances, and counts who did it. */
async function onInstances(count: number, work: (instance: number) => PeriodicWork) {
  const { db } = await testDatabase();
  const stops = Array.from({ length: count }, (_, instance) =>
    startTimers(db, [work(instance)], log),
  );
  onTestFinished(async () => {
    await Promise.all(stops.map((stop) => stop()));
  });
  return stops;
}

test('periodic work runs on one instance per period, however many there are', async () => {
  const runs: number[] = [];
  const started = Date.now();
  await onInstances(4, () => ({
    name: 'counted',
    everyMs: 500,
    run: async () => {
      runs.push(Date.now());
    },
  }));
  await expect.poll(() => runs.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(4);
  // Never more often than the period allows, whatever the machine's load delays.
  expect(runs.length).toBeLessThanOrEqual(Math.ceil((Date.now() - started) / 500) + 1);
});

test('an instance that leaves hands the work on', async () => {
  const runners: number[] = [];
  const stops = await onInstances(2, (instance) => ({
    name: 'handed on',
    everyMs: 300,
    run: async () => {
      runners.push(instance);
    },
  }));
  await expect.poll(() => runners.length, { timeout: 15_000 }).toBeGreaterThan(0);
  await stops[0]?.();
  runners.length = 0;
  await expect.poll(() => runners.length, { timeout: 15_000 }).toBeGreaterThan(1);
  expect(new Set(runners)).toEqual(new Set([1]));
});

test('work that fails is tried again in the next period, and stopping waits for work under way', async () => {
  let failures = 0;
  let finished = false;
  const [stop] = await onInstances(1, () => ({
    name: 'failing',
    everyMs: 300,
    run: async () => {
      failures += 1;
      if (failures < 3) throw new Error('not yet');
      await delay(400);
      finished = true;
    },
  }));
  await expect.poll(() => failures, { timeout: 15_000 }).toBe(3);
  await stop?.();
  expect(finished).toBe(true);
});
