import type { Unleash } from 'unleash-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import { makeDecided } from './decided-features.ts';
import { addressOf, modes, startSdk } from './server-sdk.ts';

let app: TestApp;
let url: string;

beforeAll(async () => {
  app = await testApp();
  url = await addressOf(app);
  const create = make(app.ask);
  await create.project('shop');
  await makeDecided(app.ask, 'userId');
  await create.feature('shop-only', {
    project: 'shop',
    tags: [{ type: 'simple', value: 'checkout' }],
  });
  await create.switchedOn('shop-only', { project: 'shop' });
});

const users = Array.from({ length: 1_000 }, (_, index) => ({ userId: `user-${index}` }));
const share = (unleash: Unleash, name: string) =>
  users.filter((context) => unleash.isEnabled(name, context)).length / users.length;

describe.each(Object.entries(modes))('the official SDK in %s mode', (_name, experimentalMode) => {
  let unleash: Unleash;
  let errors: string[];
  beforeAll(async () => {
    ({ unleash, errors } = await startSdk(url, { experimentalMode }));
  });

  test('evaluates enabled state, rollouts and constraints', () => {
    expect([unleash.isEnabled('on'), unleash.isEnabled('off'), unleash.isEnabled('none')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(share(unleash, 'half')).toBeGreaterThan(0.4);
    expect(share(unleash, 'half')).toBeLessThan(0.6);
    const inRegion = (region: string) =>
      unleash.isEnabled('constrained', { properties: { region } });
    expect([inRegion('eu-north'), inRegion('us-east')]).toEqual([true, false]);
  });

  test('evaluates segments', () => {
    const isIn = (userId: string) => unleash.isEnabled('segmented', { userId });
    expect([isIn('1'), isIn('3')]).toEqual([true, false]);
  });

  test('returns variants and evaluates dependencies on them', () => {
    const variants = users.map((context) => unleash.getVariant('varied', context));
    expect(new Set(variants.map(({ name }) => name))).toEqual(new Set(['red', 'blue']));
    for (const [index, context] of users.entries()) {
      const { name, payload } = variants[index] as (typeof variants)[number];
      expect(unleash.isEnabled('child', context)).toBe(name === 'red');
      expect(payload?.value).toBe(name === 'red' ? 'ff0000' : undefined);
    }
  });

  test('reports no errors', () => {
    expect(errors).toEqual([]);
  });
});

describe('filters of the official SDK', () => {
  const names = async (more: Parameters<typeof startSdk>[1]) => {
    const { unleash } = await startSdk(url, more);
    return unleash.getFeatureToggleDefinitions().map(({ name }) => name);
  };

  test.each([modes.polling, modes.delta])(
    'by project, name prefix and tags return the matching features: %j',
    async (experimentalMode) => {
      expect(await names({ experimentalMode, projectName: 'shop' })).toEqual(['shop-only']);
      expect(await names({ experimentalMode, namePrefix: 'o' })).toEqual(['off', 'on']);
      const tags = [
        { name: 'simple', value: 'checkout' },
        { name: 'simple', value: 'unknown' },
      ];
      expect(await names({ experimentalMode, tags })).toEqual(['shop-only']);
    },
  );

  test('return only features of the projects of its token', async () => {
    const payload = { tokenName: 'shop', type: 'client', projects: ['shop'] };
    const { secret } = (await app.ask('POST /api/admin/api-tokens', { payload })).json();
    for (const experimentalMode of Object.values(modes)) {
      expect(await names({ token: secret, experimentalMode })).toEqual(['shop-only']);
    }
  });
});
