import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { integration } from '../../../../test/support/deliveries.ts';
import { makeWebhook } from '../../../../test/support/integrations.ts';
import { person } from '../../../../test/support/people.ts';
import { startReceiver } from '../../../../test/support/receiver.ts';
import { countEvents } from '../../../../test/support/recorded.ts';

let app: TestApp;
/** An instance with a timeout so short that only requests to a hanging receiver use it. */
let impatient: TestApp;
beforeAll(async () => {
  app = await testApp();
  impatient = await appOn(app, { config: { deliveryTimeoutMs: 300 } });
});

const send = (id: number, ask = app.ask) => ask(`POST /api/admin/addons/${id}/test`);

const countDeliveries = async () =>
  (await app.db.selectFrom('deliveries').select('id').execute()).length;

describe('sending a test event', () => {
  test('returns the response of the receiver immediately for an event marked as a test', async () => {
    const receiver = await startReceiver({ status: 200, body: 'thank you' });
    const editor = await person(app, { rootRole: 2 });
    const { id } = await makeWebhook(app.ask, {
      url: `${receiver.url}/in`,
      events: ['feature-archived', 'feature-created'],
      environments: ['production'],
    });
    const before = [await countEvents(app.db), await countDeliveries()];
    const response = await send(id, editor.ask);
    expect([response.statusCode, response.json()]).toMatchObject([
      200,
      {
        state: 'success',
        details: {
          contentType: 'application/json',
          body: { id: 0 },
          attempts: [{ state: 'success', status: 200, exchanges: [{ response: { status: 200 } }] }],
        },
      },
    ]);
    const [request] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      id: 0,
      type: 'feature-archived',
      createdBy: editor.name,
      createdByUserId: editor.id,
      environment: 'production',
      project: 'default',
      data: { test: true },
      label: 'Test',
      ip: null,
    });
    expect(request?.headers['webhook-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect([await countEvents(app.db), await countDeliveries()]).toEqual(before);
  });

  test('shows no secret, not even one that the receiver repeats', async () => {
    const secrets = {
      authorization: 'Bearer canary-authorization-1',
      customHeaders: '{"X-Key":"canary-header-2"}',
    };
    const receiver = await startReceiver((request) => ({
      status: 500,
      headers: { 'x-echo': request.headers.authorization ?? '' },
      body: `${JSON.stringify(request.headers)} ${request.path}`,
    }));
    const url = `${receiver.url.replace('//', '//user:canary-password-3@')}/in?key=canary-query-4`;
    const { id, signingSecret } = await makeWebhook(app.ask, { url, parameters: secrets });
    const { body, statusCode } = await send(id);
    expect(statusCode).toBe(200);
    expect(JSON.parse(body).state).toBe('failed');
    expect(receiver.received[0]?.headers.authorization).toContain('canary-authorization-1');
    for (const secret of ['canary-', signingSecret, signingSecret.replace('whsec_', '')]) {
      expect(body).not.toContain(secret);
    }
  });

  test.each([
    ['responds with 410', { status: 410 }, /410/],
    ['responds with 302', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, /302/],
    ['responds with 429', { status: 429, headers: { 'retry-after': '60' } }, /429/],
    ['hangs', 'hang', /didn't respond within 300 ms/],
    ['resets the connection', 'reset', /./],
  ] as const)(
    'to a receiver that %s returns the failure and changes nothing',
    async (_how, answer, words) => {
      const receiver = await startReceiver(answer);
      const { id } = await makeWebhook(app.ask, { url: receiver.url });
      const response = await send(id, answer === 'hang' ? impatient.ask : app.ask);
      expect([response.statusCode, response.json().state]).toEqual([200, 'failed']);
      expect(response.json().stateDetails).toMatch(words);
      expect(response.json().details.attempts).toHaveLength(1);
      const {
        enabled,
        held_until: heldUntil,
        trouble,
      } = await app.db
        .selectFrom('integrations')
        .where('id', '=', id)
        .selectAll()
        .executeTakeFirstOrThrow();
      expect({ enabled, heldUntil, trouble }).toEqual({
        enabled: true,
        heldUntil: null,
        trouble: null,
      });
    },
  );

  test('to a forbidden address returns a failure that names it', async () => {
    const { id } = await makeWebhook(app.ask, { url: 'http://169.254.169.254/latest' });
    const response = await send(id);
    expect([response.statusCode, response.json().state]).toEqual([200, 'failed']);
    expect(response.json().stateDetails).toContain('169.254.169.254');
  });

  test('works for a disabled or paused integration', async () => {
    const receiver = await startReceiver();
    const { id } = await makeWebhook(app.ask, { url: receiver.url, enabled: false });
    expect((await send(id)).json().state).toBe('success');
    expect((await app.ask(`POST /api/admin/addons/${id}/pause`)).statusCode).toBe(200);
    expect((await send(id)).json().state).toBe('success');
    expect(receiver.received).toHaveLength(2);
  });

  test('is rejected for a provider that this version does not support', async () => {
    const response = await send(await integration(app, { provider: 'from-the-future' }));
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(response.json().message).toContain('from-the-future');
  });

  test('is rejected without permission to update integrations', async () => {
    const receiver = await startReceiver();
    const { id } = await makeWebhook(app.ask, { url: receiver.url });
    expect((await send(id, (await person(app)).ask)).statusCode).toBe(403);
    expect(receiver.received).toEqual([]);
  });
});
