import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import {
  delivery,
  failedAttempt,
  happened,
  integration,
  manyDeliveries,
} from '../../../../test/support/deliveries.ts';
import { makeWebhook, recordsOf } from '../../../../test/support/integrations.ts';
import { person } from '../../../../test/support/people.ts';
import { startReceiver } from '../../../../test/support/receiver.ts';
import { countEvents } from '../../../../test/support/recorded.ts';

import { forgetEverywhere } from '../../../app/installation.ts';
import { redeliver as redeliverIn } from './service.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ background: 'here' });
});

const redeliver = (id: number, record: string) =>
  app.ask(`POST /api/admin/addons/${id}/events/${record}/redeliver`);
const many = (id: number, payload: object) =>
  app.ask(`POST /api/admin/addons/${id}/redeliver`, { payload });

const rowOf = (id: string) =>
  app.db.selectFrom('deliveries').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

const startedBy = testActor.name;
const redeliveredBy = (redelivered_at: Date | null) => ({
  redelivered_at,
  redelivered_by: testActor.name,
  redelivered_by_id: expect.any(Number),
});

describe('the author of a redelivery', () => {
  test('is in the record and in the list of redeliveries until the user is erased', async () => {
    const id = await integration(app);
    const [one, other] = [
      await delivery(app, id, { eventId: await happened(app) }),
      await delivery(app, id, { eventId: await happened(app) }),
    ];
    const read = async (record: string) =>
      (await app.ask(`GET /api/admin/addons/${id}/events/${record}`)).json();
    const tasks = async () =>
      (await app.ask(`GET /api/admin/addons/${id}/redeliveries`)).json().redeliveries;
    expect(await read(one)).not.toHaveProperty('redeliveredBy');

    const ada = await person(app, { rootRole: 1 });
    // An erasure requires an event that names the user.
    await ada.ask('POST /api/admin/projects/default/favorites');
    await ada.ask(`POST /api/admin/addons/${id}/events/${one}/redeliver`);
    expect(await read(one)).toMatchObject({
      redeliveredAt: expect.stringMatching(/Z$/),
      redeliveredBy: ada.name,
    });
    expect(await tasks()).toMatchObject([{ startedBy: ada.name, total: 1 }]);

    const bob = await person(app, { rootRole: 1 });
    await bob.ask(`POST /api/admin/addons/${id}/redeliver`, {
      payload: { state: 'delivered', ids: [other] },
    });
    expect(await read(other)).toMatchObject({ redeliveredBy: bob.name });
    expect(await tasks()).toMatchObject([{ startedBy: bob.name }, { startedBy: ada.name }]);

    await forgetEverywhere(app.transact, testActor, ada.id);
    expect(await read(one)).not.toHaveProperty('redeliveredBy');
    expect(await read(other)).toMatchObject({ redeliveredBy: bob.name });
  });
});

describe('redelivering a record', () => {
  test.each(['givenUp', 'delivered'] as const)(
    'that was %s starts its schedule again with the same id, message and attempts',
    async (state) => {
      const id = await integration(app);
      const record = await delivery(app, id, {
        eventId: await happened(app),
        state,
        attempts: Array.from({ length: 8 }, () => failedAttempt()),
      });
      const before = await rowOf(record);
      const events = await countEvents(app.db);
      const asked = new Date();
      const response = await redeliver(id, record);
      expect([response.statusCode, response.json()]).toMatchObject([
        202,
        { id: record, state: 'pending', attempts: 0, why: 'Integration paused' },
      ]);
      const after = await rowOf(record);
      expect(after).toEqual({
        ...before,
        ...{ state: 'pending', tries: 0, next_at: after.next_at },
        ...redeliveredBy(after.next_at),
      });
      expect(after.next_at?.getTime()).toBeGreaterThanOrEqual(asked.getTime() - 1);
      expect(after.next_at?.getTime()).toBeLessThanOrEqual(Date.now());
      expect(await countEvents(app.db)).toBe(events);
    },
  );

  test('that is pending only moves its next attempt to now', async () => {
    const id = await integration(app);
    const record = await delivery(app, id, {
      eventId: await happened(app),
      state: 'pending',
      outcome: 'failed',
      nextAt: new Date(Date.now() + 3_600_000),
      attempts: [failedAttempt()],
    });
    const before = await rowOf(record);
    expect((await redeliver(id, record)).statusCode).toBe(202);
    const after = await rowOf(record);
    expect(after).toEqual({
      ...before,
      next_at: after.next_at,
      ...redeliveredBy(after.next_at),
    });
    expect(after.next_at?.getTime()).toBeLessThanOrEqual(Date.now());
    // A later request does not move it back in the queue.
    expect((await redeliver(id, record)).statusCode).toBe(202);
    expect(await rowOf(record)).toEqual({ ...after, redelivered_at: expect.any(Date) });
  });

  test('that is being sent changes nothing', async () => {
    const id = await integration(app);
    const record = await delivery(app, id, { eventId: await happened(app) });
    const nextAt = new Date(Date.now() + 3_600_000);
    await app.transact(testActor, async (tx) => {
      // In an uncommitted transaction, so that the engine does not release a delivery that no instance is sending.
      await tx.db
        .updateTable('deliveries')
        .set({ state: 'pending', next_at: nextAt, owner: 1, leased_until: nextAt })
        .where('id', '=', record)
        .execute();
      const answer = await redeliverIn(tx, String(id), record);
      expect(answer).toMatchObject({ state: 'pending', why: 'Sending' });
      const row = await tx.db
        .selectFrom('deliveries')
        .where('id', '=', record)
        .select(['next_at', 'owner'])
        .executeTakeFirst();
      expect(row).toEqual({ next_at: nextAt, owner: 1 });
      await tx.db
        .updateTable('deliveries')
        .set({ state: 'delivered', next_at: null, owner: null, leased_until: null })
        .where('id', '=', record)
        .execute();
    });
  });

  test('without content is rejected with the reason', async () => {
    const id = await integration(app);
    const record = await delivery(app, id, { eventId: await happened(app), message: {} });
    const response = await redeliver(id, record);
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect((await rowOf(record)).state).toBe('delivered');
  });

  test('that is unknown or belongs to another integration returns 404', async () => {
    const [id, other] = [await integration(app), await integration(app)];
    const record = await delivery(app, other, { eventId: await happened(app) });
    for (const unknown of [record, 'abc', '01890000-0000-7000-8000-000000000000']) {
      expect([unknown, (await redeliver(id, unknown)).statusCode]).toEqual([unknown, 404]);
    }
    expect((await rowOf(record)).state).toBe('delivered');
  });

  test('sends it again with the same webhook-id and body', async () => {
    const receiver = await startReceiver();
    const { id } = await makeWebhook(app.ask, { url: `${receiver.url}/in` });
    await app.ask('POST /api/admin/projects', { payload: { id: 'again', name: 'again' } });
    await expect.poll(() => receiver.received.length).toBe(1);
    await expect.poll(async () => (await recordsOf(app.ask, id)).length).toBe(1);
    const [record] = await recordsOf(app.ask, id);
    expect((await redeliver(id, record?.id as string)).statusCode).toBe(202);
    await expect.poll(() => receiver.received.length).toBe(2);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(first?.headers['webhook-id']).toBe(record?.id);
    await expect
      .poll(async () =>
        (await recordsOf(app.ask, id)).map(({ details }) => details.attempts.length),
      )
      .toEqual([2]);
  });
});

describe('redelivering many records', () => {
  /** The events of `fill`, which all tests share. */
  const eventIds: number[] = [];

  /** One delivery in each state on each of three days, of two types. */
  async function fill() {
    const id = await integration(app);
    const made: { record: string; state: string; day: string; type: string; event: number }[] = [];
    for (const day of ['2026-01-01', '2026-01-02', '2026-01-03']) {
      for (const type of ['feature-created', 'feature-updated'] as const) {
        for (const state of ['givenUp', 'delivered', 'pending'] as const) {
          const nth = made.length;
          eventIds[nth] ??= await happened(app, { type });
          const event = eventIds[nth] as number;
          const record = await delivery(app, id, {
            eventId: event,
            state,
            createdAt: new Date(`${day}T23:59:59.999Z`),
            nextAt: new Date('2036-01-01T00:00:00.000Z'),
            tries: 5,
          });
          made.push({ record, state, day, type, event });
        }
      }
    }
    return { id, made };
  }

  /** Deliveries whose schedule started again. */
  const redelivered = async (id: number) =>
    (
      await app.db
        .selectFrom('deliveries')
        .where('integration_id', '=', id)
        .where('state', '=', 'pending')
        .where('tries', '=', 0)
        .select('id')
        .orderBy('event_id')
        .execute()
    ).map((row) => row.id);

  test.each([
    [{}, () => true, ['givenUp']],
    [{ state: 'givenUp' }, () => true, ['givenUp']],
    [{ state: 'failed' }, () => true, ['givenUp']],
    [{ state: 'delivered' }, () => true, ['delivered']],
    [{ state: 'all' }, () => true, ['givenUp', 'delivered']],
    [{ from: '2026-01-02' }, ({ day }) => day >= '2026-01-02', ['givenUp']],
    [{ to: '2026-01-02' }, ({ day }) => day <= '2026-01-02', ['givenUp']],
    [
      { from: 'IS:2026-01-02', to: '2026-01-02', state: 'all' },
      ({ day }) => day === '2026-01-02',
      ['givenUp', 'delivered'],
    ],
    [{ type: 'feature-updated' }, ({ type }) => type === 'feature-updated', ['givenUp']],
    [
      { type: 'IS_ANY_OF:feature-updated,feature-created', from: null, to: null },
      () => true,
      ['givenUp'],
    ],
  ] as [object, (each: { day: string; type: string }) => boolean, string[]][])(
    'selects exactly the records that match %j',
    async (body, matches, states) => {
      const { id, made } = await fill();
      const wanted = made.filter((each) => states.includes(each.state) && matches(each));
      const response = await many(id, body);
      expect([response.statusCode, response.json()]).toEqual([
        202,
        {
          redelivered: wanted.length,
          more: false,
          startedAt: expect.any(String),
          lastEvent: wanted.at(-1)?.event,
        },
      ]);
      expect(await redelivered(id)).toEqual(wanted.map(({ record }) => record));
      // The failed deliveries are pending now, so a second request finds none.
      if (!('state' in body)) {
        expect((await many(id, body)).json()).toEqual({ redelivered: 0, more: false });
      }
    },
  );

  test('selects all permanently failed ones by default', async () => {
    const { id, made } = await fill();
    const givenUp = made.filter(({ state }) => state === 'givenUp');
    const response = await app.ask(`POST /api/admin/addons/${id}/redeliver`);
    expect([response.statusCode, response.json()]).toEqual([
      202,
      {
        redelivered: givenUp.length,
        more: false,
        startedAt: expect.any(String),
        lastEvent: givenUp.at(-1)?.event,
      },
    ]);
    expect(await redelivered(id)).toEqual(givenUp.map(({ record }) => record));
  });

  test('starts after the given event', async () => {
    const { id, made } = await fill();
    const givenUp = made.filter(({ state }) => state === 'givenUp');
    const afterEvent = givenUp[3]?.event;
    expect((await many(id, { afterEvent })).json().redelivered).toBe(2);
    expect(await redelivered(id)).toEqual(givenUp.slice(4).map(({ record }) => record));
  });

  test('selects ten thousand at a time, oldest first', async () => {
    const id = await integration(app);
    const first = await happened(app);
    await manyDeliveries(app, id, { first, count: 10_003 });
    const last = first + 9_999;
    const body = { state: 'delivered' };
    expect((await many(id, body)).json()).toEqual({
      redelivered: 10_000,
      more: true,
      startedAt: expect.any(String),
      lastEvent: last,
    });
    expect((await many(id, { ...body, afterEvent: last })).json()).toEqual({
      redelivered: 3,
      more: false,
      startedAt: expect.any(String),
      lastEvent: last + 3,
    });
  });

  test('omits records without content', async () => {
    const id = await integration(app);
    await delivery(app, id, { eventId: await happened(app), state: 'givenUp', message: {} });
    expect((await many(id, {})).json()).toEqual({ redelivered: 0, more: false });
  });

  test.each([
    [{ state: 'pending' }, '/body/state'],
    [{ state: 'success' }, '/body/state'],
    [{ retrying: 'yes' }, '/body/retrying'],
    [{ from: '2026-02-30' }, '/body/from'],
    [{ to: 'today' }, '/body/to'],
    [{ type: 'feature-creatd' }, '/body/type'],
    [{ type: 5 }, '/body/type'],
    [{ afterEvent: '5' }, '/body/afterEvent'],
    [[], '/body'],
  ])('returns 400 with the path of the error for %j', async (body, path) => {
    const response = await many(await integration(app), body);
    expect([response.statusCode, response.json().details[0].path]).toEqual([400, path]);
  });
});

describe('a redelivery of several records', () => {
  const redeliveries = async (id: number) =>
    (await app.ask(`GET /api/admin/addons/${id}/redeliveries`)).json().redeliveries;

  test('can be limited to a selection or to failures since a time', async () => {
    const id = await integration(app);
    const make = async (createdAt: string) =>
      delivery(app, id, {
        eventId: await happened(app),
        state: 'givenUp',
        createdAt: new Date(createdAt),
      });
    const [early, noon, late] = [
      await make('2026-03-01T10:00:00.000Z'),
      await make('2026-03-01T12:00:00.000Z'),
      await make('2026-03-01T14:00:00.000Z'),
    ] as const;
    const stateOf = async (record: string) => (await rowOf(record)).state;
    expect((await many(id, { ids: [early] })).json()).toMatchObject({ redelivered: 1 });
    expect([await stateOf(early), await stateOf(noon), await stateOf(late)]).toEqual([
      ...['pending', 'givenUp', 'givenUp'],
    ]);
    expect((await many(id, { since: '2026-03-01T13:00:00.000Z' })).json().redelivered).toBe(1);
    expect([await stateOf(noon), await stateOf(late)]).toEqual(['givenUp', 'pending']);
    const ofAnother = await integration(app);
    expect((await many(ofAnother, { ids: [noon] })).json()).toEqual({
      redelivered: 0,
      more: false,
    });
    expect((await many(id, { ids: ['nonsense'] })).statusCode).toBe(400);
  });

  test('can include deliveries waiting for a retry, which keep their number of attempts', async () => {
    const id = await integration(app);
    const nextAt = new Date('2036-01-01T00:00:00.000Z');
    const make = async (tries: number, state: 'pending' | 'givenUp' = 'pending') =>
      delivery(app, id, { eventId: await happened(app), state, tries, nextAt });
    const [waiting, retrying, givenUp] = [await make(0), await make(3), await make(8, 'givenUp')];
    const { redelivered, startedAt } = (await many(id, { retrying: true })).json();
    expect(redelivered).toBe(2);
    const now = new Date(startedAt);
    expect(await rowOf(waiting)).toMatchObject({ tries: 0, next_at: nextAt });
    expect(await rowOf(retrying)).toMatchObject({ tries: 3, next_at: now, redelivered_at: now });
    expect(await rowOf(givenUp)).toMatchObject({ tries: 0, next_at: now, state: 'pending' });
    expect(await redeliveries(id)).toEqual([
      { startedAt, startedBy, total: 2, pending: 2, delivered: 0, givenUp: 0 },
    ]);
  });

  test('can be followed until it is complete', async () => {
    const id = await integration(app);
    const records: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      records.push(await delivery(app, id, { eventId: await happened(app), state: 'givenUp' }));
    }
    expect(await redeliveries(id)).toEqual([]);
    const { startedAt } = (await many(id, {})).json();
    expect(await redeliveries(id)).toEqual([
      { startedAt, startedBy, total: 3, pending: 3, delivered: 0, givenUp: 0 },
    ]);
    const end = (record: string | undefined, state: 'delivered' | 'givenUp') =>
      app.db
        .updateTable('deliveries')
        .set({ state, next_at: null })
        .where('id', '=', record as string)
        .execute();
    await end(records[0], 'delivered');
    await end(records[1], 'givenUp');
    expect(await redeliveries(id)).toEqual([
      { startedAt, startedBy, total: 3, pending: 1, delivered: 1, givenUp: 1 },
    ]);
  });
});
