import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import {
  exported,
  fill,
  headOf,
  person,
  runVerifier,
  verifyTampered,
} from '../../../../test/support/proof-log.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { transactOn } from '../../../app/transact.ts';
import type { Database, Transact } from '../../../platform/db/database.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { systemActor } from '../../access/gate/index.ts';
import { listSigningKeys } from './queries.ts';
import { removeOldEvents, retentionJob } from './retention.ts';
import { verifyLog } from './verify.ts';

const dayMs = 86_400_000;
const start = Date.parse('2030-03-01T12:00:00Z');
let now = start;
let db: Kysely<Database>;
let transact: Transact;

const anchorOf = () =>
  db.selectFrom('event_log').select(['anchor_id as id', 'rewrites']).executeTakeFirstOrThrow();

const ids = async () => {
  const { rows } = await sql<{ first: number; last: number; count: number }>`
    select min(id) as first, max(id) as last, count(*) as count from events`.execute(db);
  return rows[0] as { first: number; last: number; count: number };
};

const remove = (days: number, limit?: number) =>
  transact(systemActor, (tx) => removeOldEvents(tx, days, limit === undefined ? {} : { limit }));

const folder = mkdtempSync(join(tmpdir(), 'burgee-retention-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The output of `burgee key export`. */
async function fileOfKeys(): Promise<string> {
  const file = join(folder, 'keys.pem');
  writeFileSync(file, (await listSigningKeys(db)).map(({ publicKey }) => publicKey).join(''));
  return file;
}

beforeAll(async () => {
  ({ db } = await testDatabase());
  transact = transactOn(db, () => new Date(now));
  for (let day = 0; day < 10; day += 1) {
    now = start + day * dayMs;
    await fill(transact, 4, day === 0 ? person(5, 'Ada') : person(6, 'Grace'));
  }
});

test('the oldest events are removed and the rest verifies from its beginning', async () => {
  const old = await ids();
  const { rewrites } = await anchorOf();
  const before = await headOf(db);
  expect(await remove(5.5)).toBe(true);
  const kept = await ids();
  // Four events a day on days 4 to 9, and the event of the removal.
  expect(kept.count).toBe(6 * 4 + 1);
  expect(kept.first).toBeGreaterThan(old.first);
  expect(await anchorOf()).toEqual({ id: kept.first - 1, rewrites });
  expect(await verifyLog(db)).toMatchObject({ ok: true, firstId: kept.first, checked: 25 });
  expect((await verifyLog(db, { lastId: before.id, hash: before.hash })).ok).toBe(true);
  const keys = await fileOfKeys();
  for (const order of ['asc', 'desc'] as const) {
    const lines = await exported(db, order);
    expect(await runVerifier(['-', '--public-key', keys], lines)).toMatchObject({
      status: 0,
      stderr: '',
    });
    // Without the key it cannot be verified that it was retention.
    expect(await runVerifier(['-'], lines)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('pass it with --public-key'),
    });
  }
});

test('search texts and days of removed events are removed, and the remaining days match their events', async () => {
  const { first } = await ids();
  const { rows } = await sql<{ texts: number; sides: number; days: number }>`
    select (select count(*) from event_texts where id < ${first}) as texts,
           (select count(*) from event_side_texts where id < ${first}) as sides,
           (select count(*) from event_days where first_id < ${first}) as days`.execute(db);
  expect(rows[0]).toEqual({ texts: 0, sides: 0, days: 0 });
  const { rows: days } = await sql`
    select d.day::text from event_days d
    where not exists (select from events e where e.id between d.first_id and d.last_id
      and (e.created_at at time zone 'UTC')::date = d.day)`.execute(db);
  expect(days).toEqual([]);
});

test('a removal with a limit can end within a day', async () => {
  const { first } = await ids();
  expect(await remove(4.5, 2)).toBe(true);
  expect((await ids()).first).toBe(first + 2);
  expect((await verifyLog(db)).fault).toBeUndefined();
});

test('an anchor not written by retention is reported', async () => {
  const { first } = await ids();
  const moved = [
    sql`update event_log set anchor_id = ${first}, anchor_hash = (select hash from events where id = ${first})`,
    sql`delete from events where id <= ${first}`,
    sql`delete from event_texts where id <= ${first}`,
    sql`delete from event_side_texts where id <= ${first}`,
  ];
  expect((await verifyTampered(db, moved)).fault).toMatchObject({ kind: 'anchor', eventId: first });
  const hidden = sql`delete from events where id = ${first}`;
  expect((await verifyTampered(db, hidden)).fault).toMatchObject({
    kind: 'removed',
    eventId: first,
  });
  const back = sql`update event_log set anchor_id = 0, anchor_hash = decode(repeat('00', 32), 'hex')`;
  expect((await verifyTampered(db, back)).fault).toMatchObject({ kind: 'removed', eventId: 1 });
});

test('users can be erased from the remaining events', async () => {
  await forgetEverywhere(transact, systemActor, 6);
  expect((await verifyLog(db)).fault).toBeUndefined();
});

test('the job removes all expired events, keeps the newest one and then has nothing to do', async () => {
  now = start + 400 * dayMs;
  const services = { transact, stopping: new AbortController().signal, metrics: createMetrics() };
  const all = await ids();
  const noSetting = async () => undefined;
  await retentionJob(services, systemActor, { eventRetentionDays: undefined }, noSetting).run();
  expect(await ids()).toEqual(all);
  const job = retentionJob(services, systemActor, { eventRetentionDays: 30 }, noSetting);
  await job.run();
  const kept = await ids();
  expect(kept.count).toBeLessThanOrEqual(3);
  expect((await verifyLog(db)).fault).toBeUndefined();
  now += 40 * dayMs;
  await job.run();
  now += 40 * dayMs;
  const rested = await ids();
  await job.run();
  expect(await ids()).toEqual(rested);
  await fill(transact, 2);
  expect((await verifyLog(db)).fault).toBeUndefined();
});
