import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { systemActor } from '../../access/gate/index.ts';
import { disableGone, pauseIntegration, resumeIntegration } from './service.ts';

const addons = '/api/admin/addons';
const installation = {
  encryptionKeys: [Buffer.alloc(32, 7)],
  baseUrl: 'http://localhost:4242',
};

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const created = async (more: object = {}): Promise<number> => {
  const payload = {
    provider: 'webhook',
    enabled: true,
    parameters: { url: 'http://127.0.0.1:9/hook' },
    events: ['feature-created'],
    ...more,
  };
  return (await app.ask(`POST ${addons}`, { payload })).json().id;
};
const get = async (id: number) => (await app.ask(`GET ${addons}/${id}`)).json();

/** The events recorded while `work` runs. */
async function recordedWhile(work: () => Promise<unknown>) {
  const { last } = await app.db
    .selectFrom('events')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  await work();
  return app.db
    .selectFrom('events')
    .where('id', '>', last)
    .select(['type', 'created_by as by', 'summary', 'data', 'pre_data as preData'])
    .orderBy('id')
    .execute();
}

const pause = (id: number) =>
  app.transact(testActor, (tx) => pauseIntegration(tx, installation, id));
const resume = (id: number) =>
  app.transact(testActor, (tx) => resumeIntegration(tx, installation, id));

describe('a paused integration', () => {
  test('has the time of the pause and is recorded once', async () => {
    const id = await created();
    const events = await recordedWhile(() => pause(id));
    expect(events).toMatchObject([
      {
        type: 'addon-config-updated',
        summary: `**admin** paused integration **Webhook ${id}**`,
        data: { id, paused: true, enabled: true },
        preData: { id, paused: false, enabled: true },
      },
    ]);
    const paused = await get(id);
    expect(paused).toMatchObject({ paused: true, pausedAt: expect.any(String), enabled: true });
    expect(await recordedWhile(() => pause(id))).toEqual([]);
    expect((await get(id)).pausedAt).toBe(paused.pausedAt);
  });

  test('continues when it is resumed', async () => {
    const id = await created();
    expect(await recordedWhile(() => resume(id))).toEqual([]);
    await pause(id);
    const events = await recordedWhile(() => resume(id));
    expect(events).toMatchObject([
      {
        summary: `**admin** resumed integration **Webhook ${id}**`,
        data: { paused: false },
        preData: { paused: true },
      },
    ]);
    expect(await get(id)).toMatchObject({ paused: false });
    expect(await get(id)).not.toHaveProperty('pausedAt');
  });

  test('stays paused when it is updated', async () => {
    const id = await created();
    await pause(id);
    const { pausedAt, ...shown } = await get(id);
    await app.ask(`PUT ${addons}/${id}`, { payload: { ...shown, description: 'changed' } });
    expect(await get(id)).toMatchObject({ description: 'changed', paused: true, pausedAt });
  });

  test('cannot be paused or resumed if it is unknown or covers invisible projects', async () => {
    await expect(pause(2_147_483_647)).rejects.toMatchObject({ status: 404 });
    await expect(resume(2_147_483_647)).rejects.toMatchObject({ status: 404 });
    await make(app.ask).project('secret', { mode: 'private' });
    const id = await created({ projects: ['secret', 'default'] });
    const { id: userId } = await person(app, { rootRole: 2 });
    const actor = { ...testActor, id: userId, sees: new Set(['default']) };
    await expect(
      app.transact(actor, (tx) => pauseIntegration(tx, installation, id)),
    ).rejects.toMatchObject({ status: 403 });
  });
});

describe('a receiver that is permanently gone', () => {
  const why = {
    at: '2026-01-02T03:04:05.678Z',
    recordId: randomUUID(),
    message: 'The receiver answered 410: it is gone.',
  };
  const gone = (id: number) =>
    app.transact(systemActor, (tx) => disableGone(tx, installation, id, why));

  test('disables its integration, and both the integration and the event have the reason', async () => {
    const id = await created();
    const events = await recordedWhile(() => gone(id));
    expect(events).toMatchObject([
      {
        type: 'addon-config-updated',
        by: systemActor.name,
        summary: `**${systemActor.name}** disabled integration **Webhook ${id}**: ${why.message}`,
        data: { id, enabled: false, reason: why.message },
        preData: { id, enabled: true },
      },
    ]);
    expect(await get(id)).toMatchObject({ enabled: false, trouble: why });
    expect(await recordedWhile(() => gone(id))).toEqual([]);
  });

  test('is ignored if the integration was deleted meanwhile', async () => {
    const id = await created();
    await app.ask(`DELETE ${addons}/${id}`);
    expect(await recordedWhile(() => gone(id))).toEqual([]);
  });
});

describe('the delivery state of an integration', () => {
  const hour = 3_600_000;
  const at = (ms: number) => new Date(Date.now() + ms);

  /** Deliveries as the background job writes them, due at the given time. */
  const pending = (integration_id: number, rows: readonly { created: Date; next: Date | null }[]) =>
    app.db
      .insertInto('deliveries')
      .values(
        rows.map(({ created: created_at, next }, index) => ({
          id: randomUUID(),
          integration_id,
          event_id: index + 1,
          event_type: 'feature-created',
          created_at,
          message: '{}',
          state: next ? ('pending' as const) : ('givenUp' as const),
          next_at: next,
          tries: 1,
          fence: 1,
          state_details: '',
          attempts: '[]',
        })),
      )
      .execute();

  test('has the number of pending deliveries, the oldest one and the next attempt', async () => {
    const [id, idle] = [await created(), await created()];
    const [oldest, soonest] = [at(-hour), at(hour)];
    await pending(id, [
      { created: at(-2 * hour), next: null },
      { created: oldest, next: at(2 * hour) },
      { created: at(-1000), next: soonest },
    ]);
    const delivery = {
      pending: 2,
      givenUp: 0,
      oldestPendingAt: oldest.toISOString(),
      nextAttemptAt: soonest.toISOString(),
    };
    expect((await get(id)).delivery).toEqual(delivery);
    const { addons: listed } = (await app.ask(`GET ${addons}`)).json();
    const findDelivery = (which: number) =>
      listed.find((each: { id: number }) => each.id === which).delivery;
    expect([findDelivery(id), findDelivery(idle)]).toEqual([delivery, { pending: 0, givenUp: 0 }]);

    const heldUntil = at(3 * hour);
    await app.db
      .updateTable('integrations')
      .set({ held_until: heldUntil })
      .where('id', '=', id)
      .execute();
    expect((await get(id)).delivery).toEqual({
      ...delivery,
      nextAttemptAt: heldUntil.toISOString(),
      heldUntil: heldUntil.toISOString(),
    });
    await app.db
      .updateTable('integrations')
      .set({ held_until: at(-hour) })
      .where('id', '=', id)
      .execute();
    expect((await get(id)).delivery).toEqual(delivery);
  });

  test('has no next attempt while the integration is disabled or paused', async () => {
    const [off, paused] = [await created({ enabled: false }), await created()];
    const oldest = at(-hour);
    for (const id of [off, paused]) await pending(id, [{ created: oldest, next: at(hour) }]);
    await pause(paused);
    for (const id of [off, paused]) {
      expect((await get(id)).delivery).toEqual({
        pending: 1,
        givenUp: 0,
        oldestPendingAt: oldest.toISOString(),
      });
    }
  });
});
