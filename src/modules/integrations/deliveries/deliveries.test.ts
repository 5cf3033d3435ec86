import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import {
  delivery,
  failedAttempt,
  happened,
  integration,
} from '../../../../test/support/deliveries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const list = async (id: number, query = '') => {
  const response = await app.ask(`GET /api/admin/addons/${id}/deliveries${query}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json() as {
    deliveries: { id: string; state: string; why: string; eventId: number }[];
    total: { pending: number };
  };
};

const inAnHour = () => new Date(Date.now() + 3_600_000);

describe('the deliveries of an integration', () => {
  test('are listed newest first, including those without an attempt', async () => {
    const id = await integration(app);
    const events = [await happened(app), await happened(app), await happened(app)];
    const [delivered, givenUp, pending] = events as [number, number, number];
    await delivery(app, id, { eventId: givenUp, state: 'givenUp', attempts: [failedAttempt()] });
    await delivery(app, id, { eventId: pending, state: 'pending' });
    await delivery(app, id, { eventId: delivered });
    const { deliveries, total } = await list(id);
    expect(deliveries.map(({ eventId, state, why }) => [eventId, state, why])).toEqual([
      [pending, 'pending', 'Integration paused'],
      [givenUp, 'givenUp', 'Failed after 1 attempt: It was a failed'],
      [delivered, 'delivered', 'Delivered'],
    ]);
    expect(total).toEqual({ pending: 1 });
  });

  test('can be filtered by type, date and event, with or without attempts', async () => {
    const id = await integration(app);
    const make = async (type: 'feature-created' | 'feature-archived', day: number) => {
      const eventId = await happened(app, { type });
      const state = day % 2 === 0 ? 'pending' : 'delivered';
      await delivery(app, id, { eventId, state, createdAt: new Date(Date.UTC(2026, 2, day)) });
      return eventId;
    };
    const [first, second, third, fourth] = [
      await make('feature-created', 1),
      await make('feature-archived', 2),
      await make('feature-archived', 3),
      await make('feature-created', 4),
    ] as const;
    const found = async (query: string) =>
      (await list(id, query)).deliveries.map(({ eventId }) => eventId);
    expect(await found('?type=feature-archived')).toEqual([third, second]);
    expect(await found('?type=feature-archived&state=pending')).toEqual([second]);
    expect(await found('?type=feature-created&state=delivered')).toEqual([first]);
    expect(await found('?from=2026-03-02&to=2026-03-03')).toEqual([third, second]);
    expect(await found('?from=2026-03-02&limit=2')).toEqual([fourth, third]);
    expect(await found('?from=2026-03-02&limit=2&offset=2')).toEqual([second]);
    expect(await found(`?event=${fourth}`)).toEqual([fourth]);
    const response = await app.ask(`GET /api/admin/addons/${id}/deliveries?from=yesterday`);
    expect([response.statusCode, response.json().details[0].path]).toEqual([400, '/query/from']);
  });

  test('contain their event and the times of attempts, and omit what does not exist', async () => {
    const id = await integration(app, { pausedAt: null });
    const createdAt = new Date('2026-03-01T12:00:00.000Z');
    const nextAt = inAnHour();
    const eventId = await happened(app, {
      type: 'feature-updated',
      project: 'default',
      environment: 'development',
      featureName: 'a',
    });
    const tried = await delivery(app, id, {
      eventId,
      state: 'pending',
      outcome: 'failed',
      createdAt,
      nextAt,
      attempts: [failedAttempt(), failedAttempt()],
    });
    const bare = await delivery(app, id, {
      eventId: await happened(app),
      state: 'pending',
      nextAt,
    });
    const { deliveries } = await list(id);
    expect(deliveries[1]).toEqual({
      id: tried,
      integrationId: id,
      eventId,
      eventType: 'feature-updated',
      featureName: 'a',
      project: 'default',
      environment: 'development',
      createdAt: createdAt.toISOString(),
      state: 'pending',
      attempts: 2,
      maxAttempts: 8,
      lastAttemptAt: createdAt.toISOString(),
      nextAttemptAt: nextAt.toISOString(),
      why: 'Attempt 3 of 8 scheduled. Last attempt returned 500',
    });
    expect(Object.keys(deliveries[0] ?? {}).sort()).toEqual(
      [
        'attempts',
        'createdAt',
        'eventId',
        'eventType',
        'id',
        'integrationId',
        'maxAttempts',
        'nextAttemptAt',
        'state',
        'why',
      ].sort(),
    );
    expect(deliveries[0]).toMatchObject({ id: bare, why: 'Queued' });
  });

  test('can be filtered by state in pages, with the total of pending ones', async () => {
    const id = await integration(app);
    const made: Record<string, number[]> = { pending: [], delivered: [], givenUp: [] };
    for (const state of ['pending', 'delivered', 'givenUp', 'delivered', 'pending'] as const) {
      for (const outcome of ['success', 'successWithErrors'] as const) {
        const eventId = await happened(app);
        await delivery(app, id, {
          eventId,
          state,
          outcome: state === 'delivered' ? outcome : state === 'pending' ? null : 'failed',
          createdAt: new Date(Date.UTC(2026, 0, 1) + eventId),
        });
        made[state]?.unshift(eventId);
      }
    }
    for (const [state, events] of Object.entries(made)) {
      const page = await list(id, `?state=${encodeURIComponent(state)}`);
      expect([state, page.deliveries.map(({ eventId }) => eventId)]).toEqual([state, events]);
      expect(page.total).toEqual({ pending: 4 });
      const second = await list(id, `?state=${encodeURIComponent(state)}&limit=1&offset=1`);
      expect(second.deliveries.map(({ eventId }) => eventId)).toEqual(events.slice(1, 2));
    }
    const all = Object.values(made)
      .flat()
      .sort((a, b) => b - a);
    const page = await list(id, '?limit=4&offset=3');
    expect(page.deliveries.map(({ eventId }) => eventId)).toEqual(all.slice(3, 7));
    expect((await list(id, `?offset=${'9'.repeat(30)}`)).deliveries).toEqual([]);
  });

  test('wait for the oldest pending one if the integration delivers in order', async () => {
    const id = await integration(app, { pausedAt: null, inOrder: true });
    const [first, second] = [await happened(app), await happened(app)];
    for (const eventId of [second, first]) {
      await delivery(app, id, { eventId, state: 'pending', nextAt: inAnHour() });
    }
    expect((await list(id)).deliveries.map(({ why }) => why)).toEqual([
      'Waiting for an earlier event (in-order delivery)',
      'Queued',
    ]);
  });

  test('stay listed if their event was removed while they were pending', async () => {
    const id = await integration(app);
    await delivery(app, id, { eventId: 0, state: 'pending' });
    expect((await list(id)).deliveries).toMatchObject([{ eventId: 0, state: 'pending' }]);
  });

  test.each(['state=failed', 'limit=0', 'offset=x', 'state=pending&state=pending'])(
    'return 400 for the query %s',
    async (query) => {
      const id = await integration(app);
      const response = await app.ask(`GET /api/admin/addons/${id}/deliveries?${query}`);
      expect([response.statusCode, response.json().details[0].path]).toEqual([
        400,
        `/query/${query.split('=')[0]}`,
      ]);
    },
  );
});
