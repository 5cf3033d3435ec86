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

/** As the subject of a sentence. */
const setups: readonly (readonly [string, Provider, Parameters])[] = [
  ['The webhook', webhook, {}],
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

  it.each([200, 202, 204])('succeeds with status %i and no body', async (status) => {
    expect(await when({ status })).toEqual({
      state: 'success',
      details: `${name} returned ${status}.`,
    });
  });

  it('succeeds with an unexpected body', async () => {
    expect((await when({ status: 200, body: '<html>thanks</html>' })).state).toBe('success');
    expect((await when({ status: 200, body: [1] })).state).toBe('success');
    expect((await when({ status: 200, body: 'null' })).state).toBe('success');
  });

  it.each([400, 404, 500])('fails with status %i', async (status) => {
    expect(await when({ status })).toEqual({
      state: 'failed',
      details: `${name} returned ${status}.`,
    });
  });

  it('reports with status 410 that the receiver is gone', async () => {
    expect(await when({ status: 410 })).toEqual({
      state: 'failed',
      details: `${name} returned 410.`,
      gone: true,
    });
  });

  it.each([
    ['seconds', '120', 120_000],
    ['a date', new Date(sentAt.getTime() + 90_000).toUTCString(), 90_000],
    ['a past date', new Date(sentAt.getTime() - 90_000).toUTCString(), 0],
    ['more than a day', '999999', dayMs],
    ['nonsense', 'soon', 30_000],
  ])('waits after status 429 with %s in Retry-After', async (_how, value, expected) => {
    const verdict = await when({ status: 429, headers: { 'retry-after': value } });
    expect(verdict).toMatchObject({ state: 'failed', retryAfterMs: expected });
  });

  it('waits 30 seconds after status 429 without Retry-After', async () => {
    expect(await when({ status: 429 })).toMatchObject({ state: 'failed', retryAfterMs: 30_000 });
  });

  it('respects Retry-After for other failures, but not for success', async () => {
    const headers = { 'retry-after': '7' };
    expect(await when({ status: 503, headers })).toMatchObject({ retryAfterMs: 7000 });
    expect(await when({ status: 200, headers })).not.toHaveProperty('retryAfterMs');
    expect(await when({ status: 500 })).not.toHaveProperty('retryAfterMs');
  });

  it('does not follow a redirect and names its host', async () => {
    const location = 'https://user:canary@elsewhere.example.com/path?secret=canary';
    expect(await when({ status: 302, headers: { location } })).toEqual({
      state: 'failed',
      details: `${name} returned 302, a redirect to elsewhere.example.com. Redirects aren't followed; use the final URL.`,
    });
    expect((await when({ status: 301, headers: { location: '/new' } })).details).toBe(
      `${name} returned 301, a redirect to another URL. Redirects aren't followed; use the final URL.`,
    );
  });

  it('reports a timeout', async () => {
    const verdict = await when('hang', { timeoutMs: 150 });
    expect(verdict.state).toBe('failed');
    expect(verdict.details).toMatch(
      new RegExp(
        `^Couldn't reach ${name.replace(/^The/, 'the')}\\. .* didn't respond within 150 ms\\.$`,
      ),
    );
  });

  it('reports a broken connection', async () => {
    const verdict = await when('reset');
    expect(verdict.state).toBe('failed');
    expect(verdict.details).toMatch(
      new RegExp(`^Couldn't reach ${name.replace(/^The/, 'the')}\\. .* closed the connection`),
    );
  });

  it('reports that the connection was refused', async () => {
    // A port that nothing listens on and that no other test uses.
    const url = 'http://127.0.0.1:1/in';
    const verdict = await deliver(provider, created, { ...parameters, url });
    expect(verdict.state).toBe('failed');
    expect(verdict.details).toContain('refused the connection');
  });

  it('does not hide unexpected errors', async () => {
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

describe('the error message of a receiver', () => {
  const words = async (provider: Provider, parameters: Parameters, answer: ReceiverAnswer) => {
    const { state, details } = await answered(provider, parameters, answer);
    return [state, details];
  };

  it('is not expected if Datadog responds with status ok', async () => {
    const body = { status: 'ok', event: { id: 1, title: 'x' } };
    expect(await words(datadog, { apiKey: 'k' }, { status: 202, body })).toEqual([
      'success',
      'Datadog returned 202.',
    ]);
  });

  it('is quoted for Datadog', async () => {
    const body = { errors: ['Forbidden', 'API key\n required'] };
    expect(await words(datadog, { apiKey: 'k' }, { status: 403, body })).toEqual([
      'failed',
      'Datadog returned 403. Response: Forbidden – API key required',
    ]);
    expect(
      await words(datadog, { apiKey: 'k' }, { status: 202, body: { status: 'error' } }),
    ).toEqual(['failed', 'Datadog returned 202 but rejected the event. Response: status "error".']);
  });

  it('is quoted for New Relic', async () => {
    const parameters = { licenseKey: 'k' };
    const success = { success: true, uuid: 'a' };
    expect((await words(newRelic, parameters, { status: 200, body: success }))[0]).toBe('success');
    const refusal = { success: false, error: 'Invalid license key' };
    expect(await words(newRelic, parameters, { status: 403, body: refusal })).toEqual([
      'failed',
      'New Relic returned 403. Response: Invalid license key',
    ]);
    expect(await words(newRelic, parameters, { status: 200, body: refusal })).toEqual([
      'failed',
      'New Relic returned 200 but rejected the event. Response: Invalid license key',
    ]);
    const silent = { success: false };
    expect((await words(newRelic, parameters, { status: 200, body: silent }))[0]).toBe('failed');
  });

  it('is quoted for PagerDuty', async () => {
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
      "Response: Event object is invalid – Length of 'routing_key' is incorrect (should be 32 characters)";
    expect(await words(pagerduty, { routingKey }, { status: 400, body: refusal })).toEqual([
      'failed',
      `PagerDuty returned 400. ${said}`,
    ]);
    expect(await words(pagerduty, { routingKey }, { status: 202, body: refusal })).toEqual([
      'failed',
      `PagerDuty returned 202 but rejected the event. ${said}`,
    ]);
  });

  it('is quoted without a secret that the receiver repeats, even when truncated', async () => {
    for (const padding of [0, 290]) {
      const message = `${'x'.repeat(padding)}${routingKey} is unknown`;
      const answer = { status: 400, body: { status: 'invalid', message } };
      const [, details] = await words(pagerduty, { routingKey }, answer);
      expect(details).not.toContain(routingKey.slice(0, 8));
      expect(details).toContain('*****');
    }
  });

  it('is truncated if it is long', async () => {
    const answer = { status: 400, body: { message: 'x'.repeat(10_000) } };
    const [, details] = await words(pagerduty, { routingKey }, answer);
    expect(details?.length).toBeLessThan(400);
  });
});
