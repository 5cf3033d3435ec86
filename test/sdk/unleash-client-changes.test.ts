import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import { make } from '../support/make.ts';
import { addressOf, modes, startSdk } from './server-sdk.ts';

let app: TestApp;
let other: TestApp;
let url: string;
beforeAll(async () => {
  app = await testApp();
  other = await appOn(app);
  url = await addressOf(app);
});

const waiting = { timeout: 60_000, interval: 10 };

describe.each(Object.entries(modes))('the official SDK in %s mode', (mode, experimentalMode) => {
  test('receives changes to features and segments made on any instance', async () => {
    const name = `changing-${mode}`;
    await make(app.ask).feature(name);
    const { unleash, errors } = await startSdk(url, { experimentalMode });
    const isOn = (userId: string) => unleash.isEnabled(name, { userId });
    expect(isOn('1')).toBe(false);

    const { id } = await make(app.ask).segment(name);
    await make(app.ask).strategy(name, { segments: [id] });
    await make(other.ask).switchedOn(name);
    await expect.poll(() => [isOn('1'), isOn('2')], waiting).toEqual([true, false]);
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['2'] }];
    await app.ask(`PUT /api/admin/segments/${id}`, { payload: { name, constraints } });
    await expect.poll(() => [isOn('1'), isOn('2')], waiting).toEqual([false, true]);
    await app.ask(`DELETE /api/admin/projects/default/features/${name}`);
    await expect.poll(() => unleash.getFeatureToggleDefinition(name), waiting).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test('gets 401 once its token is revoked and keeps its last features', async () => {
    const name = `revoked-${mode}`;
    await make(app.ask).feature(name);
    await make(app.ask).switchedOn(name);
    const { id, secret } = (
      await app.ask('POST /api/admin/api-tokens', { payload: { tokenName: name, type: 'client' } })
    ).json();
    const { unleash, errors } = await startSdk(url, { token: secret, experimentalMode });
    await app.ask(`DELETE /api/admin/api-tokens/${id}`);
    // After two to three seconds a stream reconnects, and then falls back to polling.
    await expect.poll(() => errors.join(), waiting).toContain('responded 401');
    expect(unleash.isEnabled(name)).toBe(true);
  });

  test('reconnects to a restarted server', async () => {
    const name = `restarted-${mode}`;
    await make(app.ask).feature(name);
    const before = await appOn(app);
    const port = await freePort();
    const place = await addressOf(before, port);
    const { unleash } = await startSdk(place, { experimentalMode });
    expect(unleash.isEnabled(name)).toBe(false);
    await before.app.close();
    await make(app.ask).switchedOn(name);
    await addressOf(await appOn(app), port);
    await expect.poll(() => unleash.isEnabled(name), waiting).toBe(true);
  });
});

test.each(['polling', 'delta'] as const)(
  'the official SDK in %s mode keeps its features while nothing changes',
  async (mode) => {
    await make(app.ask).feature(`still-${mode}`);
    await make(app.ask).switchedOn(`still-${mode}`);
    const { unleash, unchanged } = await startSdk(url, { experimentalMode: modes[mode] });
    let changes = 0;
    unleash.on('changed', () => {
      changes += 1;
    });
    await expect.poll(unchanged, waiting).toBeGreaterThan(4);
    expect(changes).toBe(0);
    expect(unleash.isEnabled(`still-${mode}`)).toBe(true);
  },
);
