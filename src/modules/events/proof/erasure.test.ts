import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { delivery, happened, integration } from '../../../../test/support/deliveries.ts';
import { happen } from '../../../../test/support/happen.ts';
import { appendEvents, eventsRead } from '../../../../test/support/long-log.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { eraseEvents, erasureStart } from '../index.ts';
import { verifyLog } from './verify.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const message = { contentType: 'application/json', body: '{}', templated: false };

const isWaiting = async () => {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
  return rows.length > 0;
};

const erasures = (creatorId: number) =>
  app.db
    .selectFrom('events')
    .where(sql<boolean>`data->>'erased' = 'true' and data->>'id' = ${String(creatorId)}`)
    .select(sql<number>`(data->>'events')::int`.as('events'))
    .orderBy('id')
    .execute();

describe('while a user is being erased', () => {
  test('other requests can write, however long the erasure takes', async () => {
    const eventId = await happened(app, { by: { id: 901, name: 'ada' } });
    const delivered = await delivery(app, await integration(app), {
      eventId,
      state: 'delivered',
      message,
    });
    let erasing: Promise<number> | undefined;
    // The erasure waits for this delivery until the transaction ends.
    await app.transact(testActor, async (tx) => {
      await tx.db
        .selectFrom('deliveries')
        .where('id', '=', delivered)
        .select('id')
        .forUpdate()
        .execute();
      erasing = forgetEverywhere(app.transact, testActor, 901);
      await expect.poll(isWaiting, { interval: 5 }).toBe(true);
      const response = await app.ask('POST /api/admin/projects', {
        payload: { id: 'meanwhile', name: 'Meanwhile' },
      });
      expect(response.statusCode, response.body).toBe(201);
    });
    expect(await erasing).toBe(1);
    expect((await verifyLog(app.db)).fault).toBeUndefined();
  });
});

describe('erasing a user', () => {
  test('runs in batches, each of which is recorded and leaves a valid log', async () => {
    const by = { id: 902, name: 'bob' };
    await happen(app.db, ...Array.from({ length: 7 }, () => ({ by })));
    let faults = 0;
    const erased = await forgetEverywhere(
      async (actor, work) => {
        const result = await app.transact(actor, work);
        if ((await verifyLog(app.db)).fault) faults += 1;
        return result;
      },
      testActor,
      902,
      3,
    );
    expect([erased, faults]).toEqual([7, 0]);
    expect((await erasures(902)).map(({ events }) => events)).toEqual([3, 3, 1]);
  });

  test('reads only events that name the user', async () => {
    await app.db.connection().execute((connection) => appendEvents(connection, 5_000));
    const by = { id: 903, name: 'eve' };
    await happen(app.db, { by }, { by }, { by });
    await app.transact(testActor, async (tx) => {
      await sql`analyze events`.execute(tx.db);
      const before = await eventsRead(tx.db as never);
      const { ids } = await eraseEvents(tx, 903, erasureStart);
      expect(ids).toHaveLength(3);
      expect((await eventsRead(tx.db as never)) - before).toBeLessThan(100);
    });
  });
});
