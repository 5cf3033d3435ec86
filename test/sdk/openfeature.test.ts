import { OFREPProvider } from '@openfeature/ofrep-provider';
import {
  type Client,
  ErrorCode,
  OpenFeature,
  StandardResolutionReasons,
} from '@openfeature/server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import { make } from '../support/make.ts';
import { clientToken, frontendToken } from '../support/tokens.ts';
import { strategyVariant } from '../support/variants.ts';
import { addressOf } from './server-sdk.ts';

let app: TestApp;
let other: TestApp;
let url: string;
afterAll(() => OpenFeature.close());

const given = (name: string, type: string, value: string) => ({
  variants: [strategyVariant(name, { payload: { type, value } })],
});

beforeAll(async () => {
  app = await testApp();
  other = await appOn(app);
  url = await addressOf(app);
  const create = make(app.ask);
  const { id } = await create.segment('beta', {
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['ada'] }],
  });
  const strategies: Record<string, object | undefined> = {
    on: undefined,
    segmented: { segments: [id] },
    constrained: {
      constraints: [{ contextName: 'region', operator: 'STR_STARTS_WITH', values: ['eu-'] }],
    },
    colour: given('red', 'string', 'ff0000'),
    limit: given('high', 'number', '250'),
    settings: given('large', 'json', '{"rows":50,"tags":["a"]}'),
  };
  for (const [name, strategy] of Object.entries(strategies)) {
    await create.feature(name);
    if (strategy) await create.strategy(name, strategy);
    await create.switchedOn(name);
  }
  await create.feature('off');
  await create.strategy('off');
  await create.feature('no-colour');
  await create.strategy('no-colour', given('red', 'string', 'ff0000'));
});

let domains = 0;

/** Starts the official SDK with its official provider. */
async function startSdk(authorization = `Bearer ${clientToken}`, baseUrl = url): Promise<Client> {
  domains += 1;
  const domain = `domain-${domains}`;
  const headers: [string, string][] = [['Authorization', authorization]];
  await OpenFeature.setProviderAndWait(domain, new OFREPProvider({ baseUrl, headers }));
  return OpenFeature.getClient(domain);
}

describe.each([
  ['client', `Bearer ${clientToken}`],
  ['frontend', frontendToken],
])('OpenFeature with a %s token', (_kind, authorization) => {
  let client: Client;
  beforeAll(async () => {
    client = await startSdk(authorization);
  });

  test('gets booleans with the reason', async () => {
    const { reason, value } = await client.getBooleanDetails('on', false);
    expect([value, reason]).toEqual([true, StandardResolutionReasons.STATIC]);
    const off = await client.getBooleanDetails('off', true);
    expect([off.value, off.reason]).toEqual([false, StandardResolutionReasons.DISABLED]);
    expect(off.flagMetadata).toEqual({ enabled: false, impressionData: false });
  });

  test('gets booleans evaluated for its context', async () => {
    const segmented = (targetingKey: string) =>
      client.getBooleanDetails('segmented', false, { targetingKey });
    expect(await segmented('ada')).toMatchObject({ value: true, reason: 'TARGETING_MATCH' });
    expect(await segmented('grace')).toMatchObject({ value: false, reason: 'DEFAULT' });
    const inRegion = (region: string) =>
      client.getBooleanValue('constrained', false, {
        region,
        cart: { items: [1, 2] },
        since: new Date(),
      });
    expect([await inRegion('eu-north'), await inRegion('us-east')]).toEqual([true, false]);
  });

  test('gets strings, numbers and objects with their variants', async () => {
    expect(await client.getStringDetails('colour', 'none')).toMatchObject({
      value: 'ff0000',
      variant: 'red',
      flagMetadata: { enabled: true, payloadType: 'string' },
    });
    expect(await client.getNumberValue('limit', 1)).toBe(250);
    expect(await client.getObjectValue('settings', {})).toEqual({ rows: 50, tags: ['a'] });
  });

  test('falls back to the default value if there is no variant or it has another type', async () => {
    // The protocol omits the value. This provider treats that as an error and returns the default.
    expect(await client.getStringDetails('no-colour', 'code')).toMatchObject({
      value: 'code',
      reason: StandardResolutionReasons.ERROR,
    });
    const mistaken = await client.getBooleanDetails('colour', true);
    expect([mistaken.value, mistaken.errorCode]).toEqual([true, ErrorCode.TYPE_MISMATCH]);
  });

  test('gets FLAG_NOT_FOUND for an unknown feature', async () => {
    expect(await client.getBooleanDetails('never', true)).toMatchObject({
      value: true,
      reason: StandardResolutionReasons.ERROR,
      errorCode: ErrorCode.FLAG_NOT_FOUND,
      errorMessage: "Feature 'never' not found",
    });
  });

  test('gets INVALID_CONTEXT for an invalid context', async () => {
    const context = { targetingKey: 'x'.repeat(5_000) };
    expect(await client.getBooleanDetails('on', false, context)).toMatchObject({
      value: false,
      errorCode: ErrorCode.INVALID_CONTEXT,
    });
  });
});

test('OpenFeature receives a change made on any instance', async () => {
  await make(app.ask).feature('changing');
  const client = await startSdk();
  const isOn = () => client.getBooleanValue('changing', false);
  expect(await isOn()).toBe(false);
  await make(other.ask).switchedOn('changing');
  await expect.poll(isOn, { timeout: 60_000, interval: 10 }).toBe(true);
});

test('OpenFeature falls back to the default value once its token is revoked', async () => {
  const payload = { tokenName: 'revoked', type: 'client' };
  const { id, secret } = (await app.ask('POST /api/admin/api-tokens', { payload })).json();
  const client = await startSdk(secret);
  expect(await client.getBooleanValue('on', false)).toBe(true);
  await app.ask(`DELETE /api/admin/api-tokens/${id}`);
  expect(await client.getBooleanDetails('on', false)).toMatchObject({
    value: false,
    reason: StandardResolutionReasons.ERROR,
  });
});

test('OpenFeature reconnects to a restarted server', async () => {
  const before = await appOn(app);
  const port = await freePort();
  const place = await addressOf(before, port);
  const client = await startSdk(clientToken, place);
  expect(await client.getBooleanValue('on', false)).toBe(true);
  await before.app.close();
  expect(await client.getBooleanValue('on', false)).toBe(false);
  await addressOf(await appOn(app), port);
  expect(await client.getBooleanValue('on', false)).toBe(true);
});
