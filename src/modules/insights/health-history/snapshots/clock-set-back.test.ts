import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { settle } from '../../../../../test/support/snapshot-days.ts';

const dayMs = 86_400_000;
const today = Date.UTC(2031, 0, 10);

const lastDayOf = async ({ db }: TestApp) => {
  const { rows } = await sql<{ day: string }>`
    select max(day)::text as day from health_snapshots`.execute(db);
  return rows[0]?.day;
};

test('days stored by a clock 60 days ahead are stored again when they are over', async () => {
  const app = await testApp();
  await settle(app, today + 60 * dayMs);
  expect(await lastDayOf(app)).toBe('2031-03-10');
  await settle(app, today);
  expect(await lastDayOf(app)).toBe('2031-01-09');
  await settle(app, today + dayMs);
  expect(await lastDayOf(app)).toBe('2031-01-10');
});

test('a day stored by an instance whose clock is a day ahead is kept', async () => {
  const app = await testApp();
  await settle(app, today + dayMs);
  await settle(app, today);
  expect(await lastDayOf(app)).toBe('2031-01-10');
});
