import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { createLogger } from './log.ts';
import { type PeriodicWork, startTimers, takeTurn } from './timers.ts';

const log = createLogger('silent');

/** Starts the same job on several instances and counts which ran it. */
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

test('a periodic job runs on one instance per period, however many there are', async () => {
  const runs: number[] = [];
  const started = Date.now();
  await onInstances(4, () => ({
    name: 'counted',
    everyMs: 500,
    run: async () => {
      runs.push(Date.now());
    },
  }));
  await expect.poll(() => runs.length).toBeGreaterThanOrEqual(4);
  // Never more often than the period allows, even under load.
  expect(runs.length).toBeLessThanOrEqual(Math.ceil((Date.now() - started) / 500) + 1);
});

test('another instance takes over the job of one that stops', async () => {
  const runners: number[] = [];
  const stops = await onInstances(2, (instance) => ({
    name: 'handed on',
    everyMs: 300,
    run: async () => {
      runners.push(instance);
    },
  }));
  await expect.poll(() => runners.length).toBeGreaterThan(0);
  await stops[0]?.();
  runners.length = 0;
  await expect.poll(() => runners.length).toBeGreaterThan(1);
  expect(new Set(runners)).toEqual(new Set([1]));
});

test('a failed job is retried in the next period, and stopping waits for a running job', async () => {
  let runs = 0;
  let finish = () => {};
  const [stop] = await onInstances(1, () => ({
    name: 'failing',
    everyMs: 300,
    run: async () => {
      runs += 1;
      if (runs < 3) throw new Error('not yet');
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
  }));
  await expect.poll(() => runs).toBe(3);
  let isStopped = false;
  const stopping = stop?.().then(() => {
    isStopped = true;
  });
  await nextTurn();
  expect(isStopped).toBe(false);
  finish();
  await stopping;
  expect([isStopped, runs]).toEqual([true, 3]);
});

const dayMs = 24 * 3_600_000;

/** Creates a job `name` that is due this far ahead of the database's clock. */
async function appointedAhead(name: string, aheadMs: number) {
  const { db } = await testDatabase();
  await sql`
    insert into timers (name, due_at)
    values (${name}, clock_timestamp() + ${aheadMs}::float8 * interval '1 millisecond')`.execute(
    db,
  );
  return (everyMs: number) => takeTurn(db, { name, everyMs, run: async () => undefined });
}

test('a job scheduled by a clock 60 days ahead runs now, once', async () => {
  const take = await appointedAhead('ahead', 60 * dayMs);
  expect(await take(600_000)).toEqual({ acquired: true, waitMs: 600_000 });
  const second = await take(600_000);
  expect(second.acquired).toBe(false);
  expect(second.waitMs).toBeLessThanOrEqual(600_000);
});

test('a job scheduled by a clock that was corrected by seconds does not run twice', async () => {
  // Within the minute of tolerance, and further ahead than the machine may be slow.
  const take = await appointedAhead('corrected', 600_000 + 50_000);
  expect(await take(600_000)).toEqual({ acquired: false, waitMs: 600_000 });
});

test('no delay exceeds the maximum of a timer, however long the period is', async () => {
  const take = await appointedAhead('seldom', 60 * dayMs);
  expect(await take(90 * dayMs)).toEqual({ acquired: false, waitMs: dayMs });
});
