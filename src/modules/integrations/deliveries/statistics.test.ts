import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { delivery, happened, integration } from '../../../../test/support/deliveries.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: () => now });
});

const statistics = async (id: number, query = '') =>
  (await app.ask(`GET /api/admin/addons/${id}/statistics${query}`)).json();

describe('the statistics of an integration', () => {
  test('have no rates and no latencies without attempts', async () => {
    const id = await integration(app);
    const { periods, ...totals } = await statistics(id);
    expect(periods).toHaveLength(25);
    expect(periods[0]).toEqual({
      from: '2026-03-09T12:00:00.000Z',
      success: 0,
      successWithErrors: 0,
      failed: 0,
    });
    expect(totals).toEqual({
      from: '2026-03-09T12:00:00.000Z',
      to: '2026-03-10T12:00:00.000Z',
      attempted: 0,
      delivered: 0,
      givenUp: 0,
      byState: { success: 0, successWithErrors: 0, failed: 0 },
      pending: 0,
    });
  });

  test('count deliveries in the requested period and the backlog of any age', async () => {
    const id = await integration(app);
    const make = async (values: Omit<Parameters<typeof delivery>[2], 'eventId'>) =>
      delivery(app, id, { eventId: await happened(app), ...values });
    for (let latencyMs = 1; latencyMs <= 100; latencyMs += 1) {
      await make({ latencyMs, createdAt: hoursAgo(1) });
    }
    await make({ outcome: 'successWithErrors', latencyMs: 100, createdAt: hoursAgo(2) });
    await make({ state: 'givenUp', latencyMs: 100, createdAt: hoursAgo(3) });
    await make({
      state: 'pending',
      outcome: 'failed',
      latencyMs: 100,
      createdAt: hoursAgo(4),
      nextAt: hoursAgo(-2),
    });
    await make({ state: 'pending', createdAt: hoursAgo(30), nextAt: hoursAgo(-1) });
    await make({ state: 'givenUp', latencyMs: 9000, createdAt: hoursAgo(25) });
    expect((await app.ask(`GET /api/admin/addons/${id}`)).json().delivery).toMatchObject({
      successRate: 101 / 103,
      lastAttemptAt: expect.any(String),
    });
    const day = await statistics(id);
    expect(day).toMatchObject({
      attempted: 103,
      delivered: 101,
      givenUp: 1,
      byState: { success: 100, successWithErrors: 1, failed: 2 },
      successRate: 101 / 103,
      latencyMs: { p50: 52, p95: 98 },
      pending: 2,
      nextAttemptAt: '2026-03-10T13:00:00.000Z',
    });
    expect(day.oldestPendingAt).toBe('2026-03-10T08:00:00.000Z');
    expect(await statistics(id, '?hours=1')).toMatchObject({ attempted: 100, successRate: 1 });
    expect(await statistics(id, '?hours=720')).toMatchObject({
      from: '2026-02-08T12:00:00.000Z',
      attempted: 104,
      givenUp: 2,
    });
  });

  test('are grouped by hour, six hours or day, depending on the length of the period', async () => {
    const id = await integration(app);
    const make = async (values: Omit<Parameters<typeof delivery>[2], 'eventId'>) =>
      delivery(app, id, { eventId: await happened(app), ...values });
    await make({ latencyMs: 10, createdAt: hoursAgo(1.5) });
    await make({ latencyMs: 30, createdAt: hoursAgo(1.25) });
    await make({ state: 'givenUp', latencyMs: 50, createdAt: hoursAgo(1.75) });
    await make({ outcome: 'successWithErrors', latencyMs: 7, createdAt: hoursAgo(26) });
    const filled = async (query: string) => {
      const { periods } = await statistics(id, query);
      type Period = Record<'success' | 'successWithErrors' | 'failed', number>;
      return periods.filter(
        ({ success, successWithErrors, failed }: Period) =>
          success + successWithErrors + failed > 0,
      );
    };
    const recent = { success: 2, successWithErrors: 0, failed: 1, latencyMs: { p50: 30, p95: 50 } };
    const older = { success: 0, successWithErrors: 1, failed: 0, latencyMs: { p50: 7, p95: 7 } };
    expect(await filled('?hours=48')).toEqual([
      { from: '2026-03-09T10:00:00.000Z', ...older },
      { from: '2026-03-10T10:00:00.000Z', ...recent },
    ]);
    expect(await filled('?hours=168')).toEqual([
      { from: '2026-03-09T06:00:00.000Z', ...older },
      { from: '2026-03-10T06:00:00.000Z', ...recent },
    ]);
    expect(await filled('?hours=720')).toEqual([
      { from: '2026-03-09T00:00:00.000Z', ...older },
      { from: '2026-03-10T00:00:00.000Z', ...recent },
    ]);
  });

  test.each(['0', '721', '-1', '1.5', 'day', '', '24&hours=24'])(
    'return 400 for the period %s',
    async (hours) => {
      const id = await integration(app);
      const response = await app.ask(`GET /api/admin/addons/${id}/statistics?hours=${hours}`);
      expect([response.statusCode, response.json().details[0].path]).toEqual([400, '/query/hours']);
    },
  );
});
