import { EVENTS, InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { appOn, type TestApp, testApp } from '../support/app.ts';
import { closeLater } from '../support/closing.ts';
import { freePort } from '../support/free-port.ts';
import { make } from '../support/make.ts';
import { frontendToken } from '../support/tokens.ts';
import { makeDecided } from './decided-features.ts';
import { addressOf } from './server-sdk.ts';

let app: TestApp;
let other: TestApp;
let url: string;
/** The SDK logs errors to the console, also those that a test expects. */
const aloud = vi.spyOn(console, 'error').mockImplementation(() => undefined);
closeLater(async () => aloud.mockRestore());

beforeAll(async () => {
  app = await testApp();
  other = await appOn(app);
  url = await addressOf(app);
  await makeDecided(app.ask, 'sessionId');
});

interface Sdk {
  readonly client: UnleashClient;
  /** `GET 200` and so on, in the order of the responses. */
  readonly answers: string[];
}

type ClientOptions = Partial<ConstructorParameters<typeof UnleashClient>[0]>;

/** Starts the official browser SDK. */
async function startSdk(options: ClientOptions = {}, place = url): Promise<Sdk> {
  const answers: string[] = [];
  const client = new UnleashClient({
    url: `${place}/api/frontend`,
    clientKey: frontendToken,
    appName: 'tested',
    storageProvider: new InMemoryStorageProvider(),
    refreshInterval: 0.05,
    metricsInterval: 0,
    fetch: async (...sent: Parameters<typeof fetch>) => {
      const answer = await fetch(...sent);
      answers.push(`${sent[1]?.method} ${answer.status}`);
      return answer;
    },
    ...options,
  });
  closeLater(async () => client.stop());
  client.on(EVENTS.ERROR, () => undefined);
  await client.start();
  return { client, answers };
}

const waiting = { timeout: 60_000, interval: 10 };

describe.each([
  ['GET', false],
  ['POST', true],
])('the official browser SDK using %s', (method, usePOSTrequests) => {
  const start = (options: ClientOptions = {}) => startSdk({ usePOSTrequests, ...options });

  test('evaluates enabled state, segments and properties', async () => {
    const { client, answers } = await start({ refreshInterval: 0, context: { userId: '1' } });
    const decided = () =>
      ['on', 'off', 'none', 'segmented', 'constrained'].map((name) => client.isEnabled(name));
    expect(decided()).toEqual([true, false, false, true, false]);
    await client.updateContext({ userId: '3', properties: { region: 'eu-north' } });
    expect(decided()).toEqual([true, false, false, false, true]);
    await client.setContextField('region', 'us-east');
    expect(decided()).toEqual([true, false, false, false, false]);
    expect(new Set(answers.map((answer) => answer.split(' ')[0]))).toEqual(new Set([method]));
  });

  test('gives each session a stable result of a rollout', async () => {
    const sides = new Map<string, boolean>();
    for (const sessionId of Array.from({ length: 12 }, (_, index) => `session-${index}`)) {
      const { client } = await start({ refreshInterval: 0, context: { sessionId } });
      sides.set(sessionId, client.isEnabled('half'));
    }
    expect(new Set(sides.values())).toEqual(new Set([true, false]));
    const { client } = await start({ refreshInterval: 0, context: { sessionId: 'session-3' } });
    expect(client.isEnabled('half')).toBe(sides.get('session-3'));
  });

  test('returns variants with payloads and evaluates dependencies on them', async () => {
    const { client } = await start({ refreshInterval: 0 });
    const seen = new Set<string>();
    for (const index of Array.from({ length: 16 }, (_, at) => at)) {
      await client.updateContext({ userId: `user-${index}` });
      const variant = client.getVariant('varied');
      seen.add(variant.name);
      expect(client.isEnabled('child')).toBe(variant.name === 'red');
      expect(variant).toEqual({
        name: variant.name,
        enabled: true,
        featureEnabled: true,
        feature_enabled: true,
        ...(variant.name === 'red' && { payload: { type: 'string', value: 'ff0000' } }),
      });
    }
    expect(seen).toEqual(new Set(['red', 'blue']));
    expect(client.getVariant('on')).toEqual({
      name: 'disabled',
      enabled: false,
      featureEnabled: true,
      feature_enabled: true,
    });
  });

  test('gets 304 while nothing changes, and receives changes made on any instance', async () => {
    const name = `changing-${method}`;
    await make(app.ask).feature(name);
    const { client, answers } = await start();
    let updates = 0;
    client.on(EVENTS.UPDATE, () => {
      updates += 1;
    });
    await expect
      .poll(() => answers.filter((answer) => answer === `${method} 304`).length, waiting)
      .toBeGreaterThan(2);
    expect([updates, client.isEnabled(name)]).toEqual([0, false]);
    await make(other.ask).switchedOn(name);
    await expect.poll(() => client.isEnabled(name), waiting).toBe(true);
    expect(client.getError()).toBeUndefined();
  });

  test('reconnects to a restarted server', async () => {
    const name = `restarted-${method}`;
    await make(app.ask).feature(name);
    const before = await appOn(app);
    const port = await freePort();
    const place = await addressOf(before, port);
    const { client } = await startSdk({ usePOSTrequests }, place);
    expect([client.isEnabled('on'), client.isEnabled(name)]).toEqual([true, false]);
    await before.app.close();
    await expect.poll(() => client.getError(), waiting).toBeDefined();
    expect(client.isEnabled('on')).toBe(true);
    await make(app.ask).switchedOn(name);
    await addressOf(await appOn(app), port);
    await expect.poll(() => client.isEnabled(name), waiting).toBe(true);
    expect(client.getError()).toBeUndefined();
  });
});

describe('the official browser SDK', () => {
  test('gets 401 once its token is revoked and keeps its last results', async () => {
    const payload = { tokenName: 'revoked', type: 'frontend' };
    const { id, secret } = (await app.ask('POST /api/admin/api-tokens', { payload })).json();
    const { client } = await startSdk({ clientKey: secret });
    expect(client.isEnabled('on')).toBe(true);
    await app.ask(`DELETE /api/admin/api-tokens/${id}`);
    await expect.poll(() => client.getError(), waiting).toEqual({ type: 'HttpError', code: 401 });
    expect(client.isEnabled('on')).toBe(true);
  });

  test('reports metrics, which appear in the usage of the feature', async () => {
    const { client, answers } = await startSdk({ refreshInterval: 0, appName: 'counting' });
    client.isEnabled('on');
    client.isEnabled('on');
    client.isEnabled('off');
    client.getVariant('varied');
    await client.sendMetrics();
    expect(answers).toEqual(['GET 200', 'POST 200']);
    const usageOf = async (name: string) =>
      (await app.ask(`GET /api/admin/client-metrics/features/${name}/raw`)).json().data;
    expect(await usageOf('on')).toMatchObject([
      { appName: 'counting', environment: 'development', yes: 2, no: 0 },
    ]);
    expect(await usageOf('off')).toMatchObject([{ appName: 'counting', yes: 0, no: 1 }]);
    expect((await usageOf('varied'))[0].variants).toEqual({
      [client.getVariant('varied').name]: 1,
    });
  });
});
