import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  aged,
  codes,
  fillLater,
  install,
  later,
  removeNow,
  tamper,
  verify,
} from '../../../../test/support/attacked-log.ts';
import { commandLine } from '../../../../test/support/command-line.ts';
import { urlOf } from '../../../../test/support/database-url.ts';
import { pretendRetention, stolenKey } from '../../../../test/support/forged-removal.ts';
import { exported, runVerifier } from '../../../../test/support/proof-log.ts';
import { firstCases } from '../../../../test/support/random-cases.ts';
import { transactOn } from '../../../app/transact.ts';
import type { Database } from '../../../platform/db/database.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { systemActor } from '../../access/gate/index.ts';
import { retentionJob } from './retention.ts';

const countOf = async (db: Kysely<Database>) =>
  (await sql<{ count: number }>`select count(*) as count from events`.execute(db)).rows[0]?.count;

describe('retention removes nothing', () => {
  test.each(
    firstCases(1, [
      ['forged older dates', sql`'2020-01-01'::timestamptz`],
      ['dates changed to BC', sql`(created_at::text || ' BC')::timestamptz`],
    ] as const),
  )('if events have %s', async (_name, date) => {
    const own = await install('file');
    const { lastId } = own.made;
    await tamper(
      own.db,
      sql`update events set created_at = ${date} where id <= ${lastId - 3}`,
      sql`update event_days set day = '2020-01-01' where last_id <= ${lastId - 3}`,
    );
    const before = await countOf(own.db);
    expect(await removeNow(own, 30)).toMatchObject({ kind: 'altered', eventId: 1 });
    expect(await countOf(own.db)).toBe(before);
    expect(await codes(own)).toEqual([1, 1, 1, 1]);
  });

  test('if the log is not intact, and counts, logs and reports this in doctor', async () => {
    const { db, connection, signingKeyFile } = await install('file');
    await tamper(db, sql`update events set created_at = '2020-01-01' where id <= 3`);
    const metrics = createMetrics();
    const services = { transact: transactOn(db), stopping: new AbortController().signal, metrics };
    const settings = { eventRetentionDays: 30, signingKeyFile };
    const job = retentionJob(services, systemActor, settings, async () => undefined);
    await expect(job.run()).rejects.toThrow(
      'No old events were removed, because the log is not intact: Event 1 was modified after it was recorded',
    );
    expect(await metrics.registry.metrics()).toContain('burgee_event_retention_refused_total 1');
    const { stdout } = await commandLine(['doctor', '--json'], {
      DATABASE_URL: urlOf(connection),
      EVENT_RETENTION_DAYS: '30',
    });
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        check: 'event retention',
        state: 'fail',
        message: expect.stringContaining('Event 1 was modified after it was recorded'),
      }),
    );
  });

  test('if an event is missing, or the first remaining one has another hash', async () => {
    for (const [statement, eventId] of [
      [sql`delete from events where id = 3`, 3],
      [sql`update events set hash = sha256('x') where id = 4`, 4],
    ] as const) {
      const own = await install('file');
      await fillLater(own.db);
      await tamper(own.db, statement);
      expect(await removeNow(own, 30, later)).toMatchObject({ eventId });
    }
    // The events up to the cut fit together, but not with the first one that remains.
    const own = await install('file');
    await fillLater(own.db);
    const eventId = own.made.lastId + 1;
    await tamper(own.db, sql`update events set type = 'user-created' where id = ${eventId}`);
    expect(await removeNow(own, 30, later)).toMatchObject({ kind: 'altered', eventId });
  });

  test.each(firstCases(1, ['0', '-9223372036854775808']))(
    'if event %s precedes the first, because it would be signed without verification',
    async (id) => {
      const own = await install('file');
      await tamper(
        own.db,
        sql`insert into events
          select ${id}, '2020-01-01', type, created_by, created_by_user_id, project, environment,
            feature_name, data, pre_data, tags, label, summary, ip, request_id, actor_seal,
            subject_keys, subject_seal, hash
          from events where id = 1`,
      );
      const before = await countOf(own.db);
      expect(await removeNow(own, 30)).toMatchObject({
        kind: 'inserted',
        message: `Event ${id} was inserted: the stored log begins after event 0`,
      });
      expect(await countOf(own.db)).toBe(before);
    },
  );

  test('if events were removed and the anchor moved by someone else', async () => {
    const own = await install('file');
    await fillLater(own.db);
    await tamper(
      own.db,
      sql`update event_log set anchor_id = 3, anchor_hash = (select hash from events where id = 3)`,
      sql`delete from events where id <= 3`,
      sql`delete from event_texts where id <= 3`,
      sql`delete from event_side_texts where id <= 3`,
      sql`update event_days set first_id = 4 where first_id <= 3`,
    );
    expect(await removeNow(own, 30, later)).toMatchObject({ kind: 'anchor', eventId: 3 });
  });
});

describe('a forged removal of everything up to the checkpoint', () => {
  test('is doubtful if signed with the key from the database', async () => {
    const own = await install('database');
    await pretendRetention(own.db, own.made, await stolenKey(own.db));
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
    const { said } = await verify(own.connection, ['--checkpoint', own.checkpoint], 30);
    expect(said).toMatch(/it is younger than 30 days: .* the key is in the database/);
  });

  test('is doubtful without a signature, even after a real removal', async () => {
    const own = await install('file');
    await pretendRetention(own.db, own.made, undefined);
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
    await fillLater(own.db);
    expect(await removeNow(own, 30, later)).toBe(true);
    for (const args of [[], ['--public-key', own.keys]]) {
      const { code, said } = await verify(own.connection, args, 30);
      expect([code, said]).toEqual([2, expect.stringContaining('without a valid signature')]);
    }
    expect(
      (await runVerifier(['-', '--public-key', own.keys], await exported(own.db))).status,
    ).toBe(2);
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
  });
});

describe('a real removal by retention', () => {
  test('is confirmed by a key in a file', async () => {
    const own = await aged('file');
    expect(await codes(own)).toEqual([0, 0, 0, 0]);
    // The retention is not independent if it is only in the database or unknown.
    await sql`
      insert into settings (id, value, created_at, updated_at)
      values ('burgee.event-retention', '{"eventDays":30}', now(), now())`.execute(own.db);
    for (const args of [[], ['--checkpoint', own.checkpoint, '--public-key', own.keys]]) {
      const { code, said } = await verify(own.connection, args);
      expect([code, said]).toEqual([
        2,
        expect.stringContaining('run this command with EVENT_RETENTION_DAYS=30'),
      ]);
    }
    const alone = ['-', '--checkpoint', own.checkpoint, '--public-key', own.keys];
    expect(await runVerifier(alone, await exported(own.db))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('pass --retention-days'),
    });
    // A longer retention than that of the removal.
    expect(await codes(own, 365)).toEqual([2, 2, 2, 2]);
  });
});
