import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { happen } from '../../../../test/support/happen.ts';
import { recordsOf, webhookOfTest } from '../../../../test/support/integrations.ts';
import { transactOn } from '../../../app/transact.ts';
import { createLogger } from '../../../platform/log.ts';
import type { OutgoingAnswer } from '../../../platform/outgoing/outgoing.ts';
import { createEngine } from './engine.ts';

const hour = 3_600_000;

let now: Date;
const clock = () => now;
/** Delivers nothing: only the engine of each test does. */
let app: TestApp;
beforeAll(async () => {
  now = new Date('2026-03-01T00:00:00.000Z');
  app = await testApp({ clock });
});

/** An engine with a clock that moves only on request, and receivers that respond with `answer`. */
async function fakeDay(answer: (attempt: number) => OutgoingAnswer) {
  now = new Date('2026-03-01T00:00:00.000Z');
  const { id } = await webhookOfTest(app, { url: 'https://hooks.example.com/in' });
  const sentAt: number[] = [];
  const gone: number[] = [];
  const began = now.getTime();
  const engine = createEngine({
    db: app.db,
    transact: transactOn(app.db, clock),
    system: testActor,
    clock,
    log: createLogger('silent'),
    settings: {
      baseUrl: 'http://localhost:4242',
      encryptionKeys: [Buffer.alloc(32, 7)],
      deliveryTimeoutMs: 15_000,
    },
    outgoing: {
      close: () => undefined,
      send: async () => {
        sentAt.push(now.getTime() - began);
        return answer(sentAt.length);
      },
    },
    owner: 1,
    onGone: async (integrationId) => void gone.push(integrationId),
  });
  return {
    id,
    engine,
    sentAt,
    gone,
    /** The time of the next attempt, in milliseconds since the start. */
    async dueIn(): Promise<number | undefined> {
      const { next } = await app.db
        .selectFrom('deliveries')
        .where('integration_id', '=', id)
        .select(({ fn }) => fn.min('next_at').as('next'))
        .executeTakeFirstOrThrow();
      return next ? next.getTime() - began : undefined;
    },
    async passTo(ms: number) {
      now = new Date(began + ms);
      await engine.tick();
      await engine.settled();
    },
  };
}

const status = (code: number, headers = {}): OutgoingAnswer => ({
  status: code,
  headers,
  body: '',
});

describe('the delivery schedule', () => {
  test('tries a failing receiver 8 times over 28 hours, then gives up and shows it in the integration', async () => {
    const { id, engine, sentAt, passTo, dueIn } = await fakeDay(() => status(503));
    await happen(app.db, { type: 'project-created', project: 'x', data: { id: 'x' } });
    await passTo(0);
    for (let next = await dueIn(); next !== undefined; next = await dueIn()) {
      const before = sentAt.length;
      await passTo(next - 1);
      expect(sentAt).toHaveLength(before);
      await passTo(next);
      expect(sentAt).toHaveLength(before + 1);
    }
    await passTo(72 * hour);

    const waits = sentAt.map((at, index) => (at - (sentAt[index - 1] ?? 0)) / 1000);
    const least = [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000];
    expect(waits).toHaveLength(8);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(least[index] as number);
      expect(wait).toBeLessThanOrEqual((least[index] as number) * 1.1);
    }
    expect(sentAt.at(-1)).toBeGreaterThan(27.5 * hour);

    await engine.stop(0);
    const { ask } = app;
    const [record] = await recordsOf(ask, id);
    expect(record).toMatchObject({ state: 'failed' });
    expect(record?.details.attempts).toHaveLength(8);
    expect(record?.details.attempts.at(-1)).not.toHaveProperty('nextAttemptAt');
    expect((await ask(`GET /api/admin/addons/${id}`)).json()).toMatchObject({
      trouble: { recordId: record?.id },
      delivery: { pending: 0 },
    });
  });

  test('pauses all deliveries to a receiver for the time of its Retry-After', async () => {
    const { engine, sentAt, passTo } = await fakeDay((attempt) =>
      attempt === 1 ? status(429, { 'retry-after': '120' }) : status(200),
    );
    await happen(app.db, { type: 'project-created', project: 'x', data: { id: 'x' } });
    await passTo(0);
    await happen(app.db, { type: 'project-created', project: 'y', data: { id: 'y' } });
    await passTo(60_000);
    expect(sentAt).toEqual([0]);

    await passTo(121_000);

    expect(sentAt).toEqual([0, 121_000, 121_000]);
    await engine.stop(0);
  });

  test('sends deliveries postponed by a clock that was 60 days ahead once the clock is corrected', async () => {
    const ahead = 60 * 24 * hour;
    const { engine, sentAt, passTo } = await fakeDay((attempt) =>
      attempt === 1 ? status(429, { 'retry-after': '120' }) : status(200),
    );
    await happen(app.db, { type: 'project-created', project: 'x', data: { id: 'x' } });
    await passTo(ahead);
    expect(sentAt).toEqual([ahead]);
    await passTo(0);
    expect(sentAt).toEqual([ahead, 0]);
    await engine.stop(0);
  });

  test('takes over deliveries of a dead instance on the second check, a second after the first', async () => {
    const { id, engine, sentAt, passTo } = await fakeDay((attempt) =>
      status(attempt === 1 ? 503 : 200),
    );
    await happen(app.db, { type: 'project-created', project: 'x', data: { id: 'x' } });
    await passTo(0);
    const dead = 99;
    await app.db
      .updateTable('deliveries')
      .set({ owner: dead, leased_until: new Date(now.getTime() + hour) })
      .where('integration_id', '=', id)
      .execute();
    await passTo(60_000);
    expect(sentAt).toEqual([0]);

    await passTo(61_000);

    expect(sentAt).toEqual([0, 61_000]);
    await engine.stop(0);
    const { ask } = app;
    const [record] = await recordsOf(ask, id);
    expect(record).toMatchObject({ state: 'success' });
    expect(record?.details.attempts.map((each) => each.state)).toEqual([
      'failed',
      'interrupted',
      'success',
    ]);
  });

  test('does not retry a receiver that is gone, and requests that its integration be disabled', async () => {
    const { engine, sentAt, passTo, dueIn, gone } = await fakeDay(() => status(410));
    await happen(app.db, { type: 'project-created', project: 'x', data: { id: 'x' } });
    await passTo(0);

    expect(await dueIn()).toBeUndefined();
    expect(sentAt).toEqual([0]);
    expect(gone).toHaveLength(1);
    await engine.stop(0);
  });
});
