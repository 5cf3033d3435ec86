import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import {
  delivery,
  happened,
  integration,
  manyDeliveries,
} from '../../../../test/support/deliveries.ts';
import { transactOn } from '../../../app/transact.ts';
import { removeOldEvents } from '../../events/proof/retention.ts';
import { prune } from './prune.ts';

const now = new Date('2026-06-01T12:00:00.000Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

let app: TestApp;
let eventId: number;
beforeAll(async () => {
  // The server deletes old records by its own clock, and on this day nothing is old.
  app = await testApp({ clock: () => new Date('2026-01-01T00:00:00.000Z') });
});
beforeEach(async () => {
  eventId = await happened(app);
});

const left = async (id: number) =>
  (
    await app.db
      .selectFrom('deliveries')
      .where('integration_id', '=', id)
      .select('id')
      .orderBy('created_at')
      .execute()
  ).map((row) => row.id);

describe('delivery records are kept', () => {
  test('for the retention of their integration, to the millisecond', async () => {
    const [short, long] = [
      await integration(app, { retentionDays: 1 }),
      await integration(app, { retentionDays: 30 }),
    ];
    const kept: Record<string, string> = {};
    for (const [name, id, createdAt] of [
      ['short old', short, new Date(daysAgo(1).getTime() - 1)],
      ['short', short, daysAgo(1)],
      ['long old', long, daysAgo(31)],
      ['long', long, daysAgo(29)],
    ] as const) {
      kept[name] = await delivery(app, id, { eventId: await happened(app), createdAt });
    }
    await prune(app.db, now);
    expect([await left(short), await left(long)]).toEqual([[kept.short], [kept.long]]);
  });

  test('whatever the number of records of another integration', async () => {
    const [noisy, quiet] = [await integration(app), await integration(app)];
    const only = await delivery(app, quiet, { eventId, createdAt: daysAgo(25) });
    await manyDeliveries(app, noisy, { first: eventId, count: 5000, createdAt: daysAgo(0) });
    await prune(app.db, now);
    expect(await left(quiet)).toEqual([only]);
    expect(await left(noisy)).toHaveLength(5000);
  });

  test('while they are pending, whatever their age', async () => {
    const id = await integration(app, { retentionDays: 1 });
    const [pending, again] = [
      await delivery(app, id, { eventId, state: 'pending', createdAt: daysAgo(90) }),
      await delivery(app, id, {
        eventId: await happened(app),
        state: 'pending',
        outcome: 'failed',
        createdAt: daysAgo(80),
      }),
    ];
    await prune(app.db, now);
    expect(await left(id)).toEqual([pending, again]);
  });

  test('if the server is stopping, until the next start', async () => {
    const id = await integration(app, { retentionDays: 1 });
    await delivery(app, id, { eventId, createdAt: daysAgo(9) });
    expect(await prune(app.db, now, AbortSignal.abort())).toBe(0);
    expect(await prune(app.db, now)).toBe(1);
  });
});

describe('old delivery records', () => {
  test('are all deleted, whatever the number of batches', async () => {
    const id = await integration(app, { retentionDays: 1 });
    await manyDeliveries(app, id, { first: eventId, count: 2500, createdAt: daysAgo(3) });
    expect(await prune(app.db, now)).toBe(2500);
    expect(await left(id)).toEqual([]);
    expect(await prune(app.db, now)).toBe(0);
  });
});

describe('a deleted integration', () => {
  test('is removed with all its deliveries, including pending ones', async () => {
    const id = await integration(app, { deletedAt: daysAgo(0) });
    await delivery(app, id, { eventId, state: 'pending' });
    await delivery(app, id, { eventId: await happened(app) });
    const active = await integration(app);
    const kept = await delivery(app, active, { eventId, createdAt: daysAgo(0) });
    await prune(app.db, now);
    expect([await left(id), await left(active)]).toEqual([[], [kept]]);
    const rows = await app.db
      .selectFrom('integrations')
      .where('id', 'in', [id, active])
      .select('id')
      .execute();
    expect(rows).toEqual([{ id: active }]);
  });
});

describe('an event removed by retention', () => {
  test('hides its delivery records immediately, while pending deliveries stay', async () => {
    const here = await testApp();
    const id = await integration(here);
    const [removed, waiting] = [await happened(here), await happened(here)];
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const young = await happened(here, { at: inDays(90).toISOString() });
    const gone = await delivery(here, id, { eventId: removed });
    const pending = await delivery(here, id, { eventId: waiting, state: 'pending' });
    const kept = await delivery(here, id, { eventId: young });
    const later = transactOn(here.db, () => inDays(100));
    expect(await later(testActor, (tx) => removeOldEvents(tx, 30))).toBe(true);
    const list = async () =>
      (await here.ask(`GET /api/admin/addons/${id}/events`)).json().integrationEvents;
    expect((await list()).map((record: { id: string }) => record.id)).toEqual([kept]);
    expect((await here.ask(`GET /api/admin/addons/${id}/events/${gone}`)).statusCode).toBe(404);
    expect(await prune(here.db, new Date())).toBe(1);
    const rows = await here.db.selectFrom('deliveries').select('id').orderBy('event_id').execute();
    expect(rows.map((row) => row.id)).toEqual([pending, kept]);
  });
});
