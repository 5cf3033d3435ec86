import { describe, expect, it } from 'vitest';
import { deliver } from '../../../../test/support/providers/deliver.ts';
import { created, sentAt } from '../../../../test/support/providers/sent-events.ts';
import { type ReceiverAnswer, startReceiver } from '../../../../test/support/receiver.ts';
import { datadog } from './datadog/datadog.ts';
import { newRelic } from './new-relic/new-relic.ts';
import { pagerduty } from './pagerduty/pagerduty.ts';
import type { Parameters, Provider } from './provider.ts';
import { webhook } from './webhook/webhook.ts';

const dayMs = 86_400_000;
const routingKey = '0123456789abcdef0123456789abcdef';

const setups: readonly (readonly [string, Provider, Parameters])[] = [
  ['Webhook', webhook, {}],
  ['Datadog', datadog, { apiKey: 'canary-datadog-key' }],
  ['New Relic', newRelic, { licenseKey: 'canary-new-relic-key' }],
  ['PagerDuty', pagerduty, { routingKey }],
];

const answered = async (
  provider: Provider,
  parameters: Parameters,
  answer: ReceiverAnswer,
  limits: { readonly timeoutMs?: number } = {},
) => {
  const receiver = await startReceiver(answer);
  const url = `${receiver.url}/in`;
  return deliver(provider, created, { ...parameters, url }, limits);
};

describe.each(setups)('%s', (name, provider, parameters) => {
  const when = (answer: ReceiverAnswer, limits?: { readonly timeoutMs: number }) =>
    answered(provider, parameters, answer, limits);

  it.each([200, 202, 204])('is content with %i and no body', async (status) => {
    expect(await when({ status })).toEqual({
      state: 'success',
      details: `${name} accepted the event (status code: ${status}).`,
    });
  });

  it('is content with a body that nobody expected', async () => {
    expect((await when({ status: 200, body: '<html>thanks</html>' })).state).toBe('success');
    expect((await when({ status: 200, body: [1] })).state).toBe('success');
    expect((await when({ status: 200, body: 'null' })).state).toBe('success');
  });

  it.each([400, 404, 500])('says that %i is a failure', async (status) => {
    expect(await when({ status })).toEqual({
      state: 'failed',
      details: `${name} did not accept the event (status code: ${status}).`,
    });
  });

  it('says that 410 means gone for good', async () => {
    expect(await when({ status: 410 })).toEqual({
      state: 'failed',
      details: `${name} did not accept the event (status code: 410).`,
      gone: true,
    });
  });

  it.each([
    ['seconds', '120', 120_000],
    ['a date', new Date(sentAt.getTime() + 90_000).toUTCString(), 90_000],
    ['a date that is over', new Date(sentAt.getTime() - 90_000).toUTCString(), 0],
    ['more than a day', '999999', dayMs],
    ['nonsense', 'soon', 30_000],
  ])('waits as 429 asks with %s', async (_how, value, expected) => {
    const verdict = await when({ status: 429, headers: { 'retry-after': value } });
    expect(verdict).toMatchObject({ state: 'failed', retryAfterMs: expected });
  });

  it('waits half a minute when 429 says nothing more', async () => {
    expect(await when({ status: 429 })).toMatchObject({ state: 'failed', retryAfterMs: 30_000 });
  });

  it('waits as any other failure asks, and not when it did not fail', async () => {
    const headers = { 'retry-after': '7' };
    expect(await when({ status: 503, headers })).toMatchObject({ retryAfterMs: 7000 });
    expect(await when({ status: 200, headers })).not.toHaveProperty('retryAfterMs');
    expect(await when({ status: 500 })).not.toHaveProperty('retryAfterMs');
  });

  it('follows no redirect, and says to which host it would have led', async () => {
    const location = 'https://user:canary@elsewhere.example.com/path?secret=canary';
    expect(await when({ status: 302, headers: { location } })).toEqual({
      state: 'failed',
      details: `${name} did not accept the event (status code: 302): it redirects to elsewhere.example.com, and redirects are not followed.`,
    });
    expect((await when({ status: 301, headers: { location: '/new' } })).details).toBe(
      `${name} did not accept the event (status code: 301): it redirects to another address, and redirects are not followed.`,
    );
  });

  it('says that nobody answered in time', async () => {
    const verdict = await when('hang', { timeoutMs: 150 });
    expect(verdict.state).toBe('failed');
    expect(verdict.details).toMatch(
      new RegExp(`^The event did not reach ${name}\\. .* did not respond within 150 ms\\.$`),
    );
  });

  it('says that the connection broke', async () => {
    const verdict = await when('reset');
    expect(verdict.state).toBe('failed');
    expect(verdict.details).toMatch(
      new RegExp(`^The event did not reach ${name}\\. .* closed the connection`),
    );
  });

  it('says that nothing listens there', async () => {
    // A port that nothing listens on, and that no server of another test is given.
    const url = 'http://127.0.0.1:1/in';
    const verdict = await deliver(provider, created, { ...parameters, url });
    expect(verdict.state).toBe('failed');
    expect(verdict.details).toContain('refused the connection');
  });

  it('lets a defect of its own through', async () => {
    const sending = {
      id: 'x',
      now: sentAt,
      send: () => Promise.reject(new TypeError('a defect')),
    };
    const message = provider.compose(created, {}, { baseUrl: 'https://flags.example.com' });
    const url = 'https://example.com';
    await expect(provider.deliver(message, { ...parameters, url }, sending)).rejects.toThrow(
      'a defect',
    );
  });
});

describe("a receiver's own words", () => {
  const words = async (provider: Provider, parameters: Parameters, answer: ReceiverAnswer) => {
    const { state, details } = await answered(provider, parameters, answer);
    return [state, details];
  };

  it('are taken for success by Datadog when the status is ok', async () => {
    const body = { status: 'ok', event: { id: 1, title: 'x' } };
    expect(await words(datadog, { apiKey: 'k' }, { status: 202, body })).toEqual([
      'success',
      'Datadog accepted the event (status code: 202).',
    ]);
  });

  it('are quoted of Datadog', async () => {
    const body = { errors: ['Forbidden', 'API key\n required'] };
    expect(await words(datadog, { apiKey: 'k' }, { status: 403, body })).toEqual([
      'failed',
      'Datadog did not accept the event (status code: 403). It says: Forbidden – API key required',
    ]);
    expect(
      await words(datadog, { apiKey: 'k' }, { status: 202, body: { status: 'error' } }),
    ).toEqual([
      'failed',
      'Datadog answered with status code 202 but did not accept the event. It says: status "error".',
    ]);
  });

  it('are quoted of New Relic', async () => {
    const parameters = { licenseKey: 'k' };
    const success = { success: true, uuid: 'a' };
    expect((await words(newRelic, parameters, { status: 200, body: success }))[0]).toBe('success');
    const refusal = { success: false, error: 'Invalid license key' };
    expect(await words(newRelic, parameters, { status: 403, body: refusal })).toEqual([
      'failed',
      'New Relic did not accept the event (status code: 403). It says: Invalid license key',
    ]);
    expect(await words(newRelic, parameters, { status: 200, body: refusal })).toEqual([
      'failed',
      'New Relic answered with status code 200 but did not accept the event. It says: Invalid license key',
    ]);
    const silent = { success: false };
    expect((await words(newRelic, parameters, { status: 200, body: silent }))[0]).toBe('failed');
  });

  it('are quoted of PagerDuty', async () => {
    const success = { status: 'success', message: 'Change event processed' };
    expect((await words(pagerduty, { routingKey }, { status: 202, body: success }))[0]).toBe(
      'success',
    );
    const refusal = {
      status: 'invalid event',
      message: 'Event object is invalid',
      errors: ["Length of 'routing_key' is incorrect (should be 32 characters)"],
    };
    const said =
      "It says: Event object is invalid – Length of 'routing_key' is incorrect (should be 32 characters)";
    expect(await words(pagerduty, { routingKey }, { status: 400, body: refusal })).toEqual([
      'failed',
      `PagerDuty did not accept the event (status code: 400). ${said}`,
    ]);
    expect(await words(pagerduty, { routingKey }, { status: 202, body: refusal })).toEqual([
      'failed',
      `PagerDuty answered with status code 202 but did not accept the event. ${said}`,
    ]);
  });

  it('are quoted without the secret that the receiver repeats, even where they are cut', async () => {
    for (const padding of [0, 290]) {
      const message = `${'x'.repeat(padding)}${routingKey} is unknown`;
      const answer = { status: 400, body: { status: 'invalid', message } };
      const [, details] = await words(pagerduty, { routingKey }, answer);
      expect(details).not.toContain(routingKey.slice(0, 8));
      expect(details).toContain('*****');
    }
  });

  it('are cut where they grow long', async () => {
    const answer = { status: 400, body: { message: 'x'.repeat(10_000) } };
    const [, details] = await words(pagerduty, { routingKey }, answer);
    expect(details?.length).toBeLessThan(400);
  });
});
