import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { happenTogether } from '../../../../test/support/happen.ts';
import { createProject, recordsOf, webhookOfTest } from '../../../../test/support/integrations.ts';
import { askedDuring } from '../../../../test/support/locks.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { startReceiver } from '../../../../test/support/receiver.ts';
import { progressLock } from './queries/progress.ts';

const soon = { timeout: 60_000, interval: 10 };

const bodyOf = (received: { body: string }) => JSON.parse(received.body);

let app: TestApp;
/** Another instance on the same database. */
let second: TestApp;
/** A server with a stopped clock: failed deliveries are sent again only on request. */
let frozen: TestApp;

beforeAll(async () => {
  // A request that waited for a delivery to a receiver that hangs would wait until the end of the test.
  const options = { background: 'here', config: { deliveryTimeoutMs: 600_000 } } as const;
  app = await testApp(options);
  second = await appOn(app, options);
  const now = new Date();
  frozen = await testApp({ background: 'here', clock: () => now });
});

/** Resolves when all deliveries are sent, apart from those of paused integrations. */
const untilAllSent = () =>
  vi.waitFor(async () => {
    const pending = app.db
      .selectFrom('deliveries')
      .innerJoin('integrations', 'integrations.id', 'integration_id')
      .where('state', '=', 'pending')
      .where('paused_at', 'is', null)
      .where('deleted_at', 'is', null)
      .select('deliveries.id');
    expect(await pending.execute()).toEqual([]);
  }, soon);

describe('delivering a change (spec 6, decisions: integration events)', () => {
  test('sends the signed event and records the delivery', async () => {
    const { ask } = app;
    const receiver = await startReceiver();
    const { id, signingSecret } = await webhookOfTest(app, {
      url: `${receiver.url}/in?key=s3cret!`,
    });
    await createProject(ask, 'told');

    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
    const [request] = receiver.received;
    expect(bodyOf(request as never)).toMatchObject({ type: 'project-created', project: 'told' });
    new Webhook(signingSecret).verify(request?.body ?? '', request?.headers ?? {});
    await vi.waitFor(async () => expect(await recordsOf(ask, id)).toHaveLength(1), soon);
    const [record] = await recordsOf(ask, id);
    expect(record).toMatchObject({
      id: request?.headers['webhook-id'],
      integrationId: id,
      state: 'success',
      event: { type: 'project-created', project: 'told', label: expect.any(String) },
      details: {
        url: `${receiver.url}/*****`,
        contentType: 'application/json',
        body: { type: 'project-created' },
        attempts: [{ state: 'success', status: 200 }],
      },
    });
    expect(JSON.stringify(record)).not.toContain('s3cret!');
  });

  test('names owners, whom the event identifies by ID', async () => {
    const { ask } = app;
    const receiver = await startReceiver();
    const events = ['feature-metadata-updated'];
    await webhookOfTest(app, { url: receiver.url, events });
    const owner = await person(app);
    await make(ask).feature('owned');
    await ask('PUT /api/admin/projects/default/features/owned', {
      payload: { owner: { type: 'user', id: owner.id } },
    });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
    const { summary } = bodyOf(receiver.received[0] as never);
    expect(summary).toContain(`made user **${owner.name}** owner of`);
  });

  test('sends neither rejected changes nor earlier events', async () => {
    const { ask } = app;
    const receiver = await startReceiver();
    await createProject(ask, 'before');
    const { id } = await webhookOfTest(app, { url: receiver.url });
    const refused = await ask('POST /api/admin/projects', {
      payload: { id: 'before', name: 'again' },
    });
    expect(refused.statusCode).toBe(409);
    await createProject(ask, 'after');

    await vi.waitFor(async () => expect(await recordsOf(ask, id)).not.toEqual([]), soon);
    await untilAllSent();
    expect(receiver.received.map((each) => bodyOf(each).project)).toEqual(['after']);
    expect(await recordsOf(ask, id)).toHaveLength(1);
  });

  test('masks a secret that the receiver sends back in the record', async () => {
    const { ask } = app;
    const receiver = await startReceiver(({ headers }) => ({
      status: 401,
      headers: { 'x-echo': headers.authorization ?? '' },
      body: { given: headers.authorization },
    }));
    const { id } = await webhookOfTest(app, {
      url: receiver.url,
      parameters: { authorization: 'Bearer canary-in-a-mine' },
    });
    await createProject(ask, 'echo');

    await vi.waitFor(async () => expect(await recordsOf(ask, id)).toHaveLength(1), soon);
    const text = JSON.stringify(await recordsOf(ask, id));
    expect(receiver.received[0]?.headers.authorization).toBe('Bearer canary-in-a-mine');
    expect(text).toContain('*****');
    expect(text).not.toContain('canary-in-a-mine');
  });

  test('does not follow a redirect, which the record mentions', async () => {
    const { ask } = app;
    const receiver = await startReceiver({ status: 302, headers: { location: '/elsewhere' } });
    const { id } = await webhookOfTest(app, { url: receiver.url });
    await createProject(ask, 'moved');

    await vi.waitFor(async () => expect(await recordsOf(ask, id)).toHaveLength(1), soon);
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/']));
    expect(await recordsOf(ask, id)).toMatchObject([
      { state: 'failed', stateDetails: expect.stringMatching(/redirect/i) },
    ]);
  });

  test('disables the integration after 410 and records an event', async () => {
    const { ask } = app;
    const receiver = await startReceiver({ status: 410 });
    const { id } = await webhookOfTest(app, { url: receiver.url });
    await createProject(ask, 'gone');

    await vi.waitFor(
      async () =>
        expect((await ask(`GET /api/admin/addons/${id}`)).json()).toMatchObject({ enabled: false }),
      soon,
    );
    const { events } = (
      await ask('GET /api/admin/search/events?type=IS:addon-config-updated')
    ).json();
    expect(events[0]).toMatchObject({ data: { id, enabled: false }, preData: { enabled: true } });
    expect((await recordsOf(ask, id))[0]).toMatchObject({ state: 'failed' });
  });

  test('fails for a forbidden address, and the record names it and the setting', async () => {
    const forbidding = await testApp({
      background: 'here',
      config: { targets: { privateTargets: false, loopback: false } },
    });
    const receiver = await startReceiver();
    const { id } = await webhookOfTest(forbidding, { url: receiver.url });
    await createProject(forbidding.ask, 'inside');

    await vi.waitFor(async () => expect(await recordsOf(forbidding.ask, id)).toHaveLength(1), soon);
    expect(receiver.received).toEqual([]);
    expect(await recordsOf(forbidding.ask, id)).toMatchObject([
      {
        state: 'failed',
        stateDetails: expect.stringMatching(/127\.0\.0\.1.*ALLOW_PRIVATE_TARGETS/s),
      },
    ]);
  });
});

describe('changing the configuration of an integration', () => {
  test('takes effect immediately on every instance', async () => {
    const receiver = await startReceiver();
    const { id } = await webhookOfTest(app, { url: receiver.url });
    await createProject(second.ask, 'one');
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);

    const off = await app.ask(`PUT /api/admin/addons/${id}`, {
      payload: {
        provider: 'webhook',
        enabled: false,
        events: ['project-created'],
        parameters: { url: '*****' },
      },
    });
    expect(off.statusCode).toBe(200);
    const other = await startReceiver();
    await webhookOfTest(app, { url: other.url });
    await createProject(second.ask, 'two');
    await vi.waitFor(() => expect(other.received).toHaveLength(1), soon);
    await untilAllSent();

    expect(receiver.received).toHaveLength(1);
  });

  test('two instances send each event once', async () => {
    const receiver = await startReceiver();
    const { id } = await webhookOfTest(app, { url: receiver.url });
    for (let number = 0; number < 10; number += 1) {
      await createProject((number % 2 === 0 ? app : second).ask, `p-${number}`);
    }

    await vi.waitFor(async () => expect(await recordsOf(app.ask, id)).toHaveLength(10), soon);
    await untilAllSent();
    const delivered = receiver.received.map((each) => bodyOf(each).project);
    expect(delivered.toSorted()).toEqual([...new Set(delivered)].sort());
    expect(delivered).toHaveLength(10);
  });

  test('sends events committed before the change with the previous configuration', async () => {
    const { ask } = app;
    const receiver = await startReceiver();
    const { id } = await webhookOfTest(app, { url: receiver.url });
    // Fan-out is blocked: the event stays in the log while its type is removed from the integration.
    const { waited, response } = await askedDuring(
      app,
      async (tx) => {
        await sql`select pg_advisory_xact_lock(${progressLock})`.execute(tx.db);
        await createProject(ask, 'just-before');
      },
      () =>
        ask(`PUT /api/admin/addons/${id}`, {
          payload: {
            provider: 'webhook',
            enabled: true,
            events: ['project-archived'],
            parameters: { url: '*****' },
          },
        }),
      async () => expect(receiver.received).toEqual([]),
    );
    expect([waited, response.statusCode]).toEqual([true, 200]);
    const other = await startReceiver();
    await webhookOfTest(app, { url: other.url });
    await createProject(ask, 'just-after');

    await vi.waitFor(() => expect(other.received).toHaveLength(1), soon);
    await untilAllSent();
    expect(receiver.received.map((each) => bodyOf(each).project)).toEqual(['just-before']);
  });
});

describe('many events that match no integration', () => {
  test('are read once and block neither later events nor a change of the integration', async () => {
    const { ask, db } = app;
    const receiver = await startReceiver();
    const { id } = await webhookOfTest(app, { url: receiver.url, projects: ['default'] });
    // More events than one transaction reads, and fewer than `maxLag`.
    const elsewhere = Array.from({ length: 450 }, () => ({
      type: 'project-created' as const,
      project: 'elsewhere',
    }));
    await happenTogether(db, ...elsewhere, { type: 'project-created', project: 'default' });

    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
    expect(bodyOf(receiver.received[0] as never)).toMatchObject({ project: 'default' });
    await happenTogether(db, ...elsewhere);
    expect((await ask(`POST /api/admin/addons/${id}/pause`)).statusCode).toBe(200);
  });
});

describe('pausing an integration', () => {
  test('collects deliveries that are all sent when it is resumed', async () => {
    const { ask } = app;
    const receiver = await startReceiver();
    const { id } = await webhookOfTest(app, { url: receiver.url });
    expect((await ask(`POST /api/admin/addons/${id}/pause`)).statusCode).toBe(200);
    for (const name of ['a1', 'b1', 'c1']) await createProject(ask, name);
    await vi.waitFor(async () => {
      const { deliveries } = (
        await ask(`GET /api/admin/addons/${id}/deliveries?state=pending`)
      ).json();
      expect(deliveries).toHaveLength(3);
      expect(deliveries[0]).toMatchObject({ why: 'Integration paused' });
    }, soon);
    expect(receiver.received).toEqual([]);

    expect((await ask(`POST /api/admin/addons/${id}/resume`)).statusCode).toBe(200);

    await vi.waitFor(() => expect(receiver.received).toHaveLength(3), soon);
  });
});

describe('delivery in strict order', () => {
  test('sends one at a time, oldest first, and later ones wait while one fails', async () => {
    const { ask, db } = frozen;
    const refused = new Set<string>(['p-3']);
    const receiver = await startReceiver((request) => ({
      status: refused.has(bodyOf(request).project) ? 500 : 200,
    }));
    const { id } = await webhookOfTest(frozen, { url: receiver.url, inOrder: true });
    for (let number = 0; number < 6; number += 1) await createProject(ask, `p-${number}`);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(4), soon);
    expect(receiver.received.map((each) => bodyOf(each).project)).toEqual([
      'p-0',
      'p-1',
      'p-2',
      'p-3',
    ]);

    refused.clear();
    const failures = () => recordsOf(ask, id, '?state=failed');
    await vi.waitFor(async () => expect(await failures()).toHaveLength(1), soon);
    const [failed] = await failures();
    await ask(`POST /api/admin/addons/${id}/events/${failed?.id}/redeliver`);

    await vi.waitFor(() => expect(receiver.received).toHaveLength(7), soon);
    const delivered = receiver.received.map((each) => bodyOf(each).project);
    expect(delivered.slice(4)).toEqual(['p-3', 'p-4', 'p-5']);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids[3]).toBe(ids[4]);
    const rest = () => db.selectFrom('deliveries').where('state', '<>', 'delivered').execute();
    await vi.waitFor(async () => expect(await rest()).toEqual([]), soon);
  });
});

describe('a receiver that never responds', () => {
  test('does not delay deliveries to another one', async () => {
    const hanging = await startReceiver('hang');
    const fast = await startReceiver();
    await webhookOfTest(app, { url: hanging.url });
    await webhookOfTest(app, { url: fast.url });
    // More than are sent to one receiver at a time.
    const created = { type: 'project-created', project: 'default' } as const;
    await happenTogether(app.db, ...Array.from({ length: 60 }, () => created));
    await createProject(app.ask, 'the-last');

    await vi.waitFor(() => expect(fast.received).toHaveLength(61), soon);
    expect(hanging.received.length).toBeGreaterThan(0);
  });
});

describe('a delivery that failed permanently', () => {
  test('stays visible after later deliveries until it is sent again', async () => {
    const { ask, db } = frozen;
    const refused = new Set(['bad']);
    const receiver = await startReceiver((request) => ({
      status: refused.has(bodyOf(request).project) ? 500 : 200,
    }));
    const { id } = await webhookOfTest(frozen, { url: receiver.url });
    const shown = async () => (await ask(`GET /api/admin/addons/${id}`)).json();
    await createProject(ask, 'bad');
    await vi.waitFor(async () => expect(await recordsOf(ask, id)).toHaveLength(1), soon);
    expect((await shown()).delivery).toMatchObject({
      pending: 1,
      lastError: expect.stringContaining('500'),
    });
    // After seven attempts the eighth is due.
    await db
      .updateTable('deliveries')
      .set({ tries: 7, next_at: new Date(0) })
      .where('integration_id', '=', id)
      .execute();
    await vi.waitFor(async () => expect((await shown()).delivery.givenUp).toBe(1), soon);
    await createProject(ask, 'good');
    await vi.waitFor(async () => expect(await recordsOf(ask, id)).toHaveLength(2), soon);
    expect(receiver.received.map((each) => bodyOf(each).project)).toEqual(['bad', 'bad', 'good']);
    const [, given] = await recordsOf(ask, id);
    await vi.waitFor(
      async () => expect(await shown()).toMatchObject({ trouble: { recordId: given?.id } }),
      soon,
    );

    refused.clear();
    await ask(`POST /api/admin/addons/${id}/events/${given?.id}/redeliver`);

    await vi.waitFor(async () => expect(await shown()).not.toHaveProperty('trouble'), soon);
    expect((await shown()).delivery).toEqual({
      pending: 0,
      givenUp: 0,
      successRate: 1,
      lastAttemptAt: expect.any(String),
    });
  });
});
