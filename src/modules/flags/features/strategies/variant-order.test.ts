import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import { featureEnvironmentPath, strategiesOn } from '../../../../../test/support/strategies.ts';
import { clientToken } from '../../../../../test/support/tokens.ts';
import { strategyVariant } from '../../../../../test/support/variants.ts';

let app: TestApp;
let strategiesApi: ReturnType<typeof strategiesOn>;
beforeAll(async () => {
  app = await testApp();
  strategiesApi = strategiesOn(app);
});

const [red, blue] = ['red', 'blue'].map((name) => strategyVariant(name, { weight: 500 }));
const given = [red, blue];
const kept = [blue, red];

/** The variants as SDKs get them, because SDKs assign users in this order. */
async function variantsForSdk(feature: string) {
  const answer = await app.ask(`GET /api/client/features/${feature}`, {
    headers: { authorization: clientToken },
  });
  const { variants, strategies } = answer.json();
  return { variants, strategies: strategies.map((each: { variants: unknown }) => each.variants) };
}

describe('variants are sorted by name, whatever the order in the request', () => {
  test('in a new strategy', async () => {
    await strategiesApi.feature('ordered');
    expect((await strategiesApi.added('ordered', { variants: given })).variants).toEqual(kept);
    expect((await variantsForSdk('ordered')).strategies).toEqual([kept]);
  });

  test('in a replaced strategy, so that another order is not a change', async () => {
    await strategiesApi.feature('turned');
    const before = await strategiesApi.added('turned', { variants: kept });
    const response = await strategiesApi.replace('turned', before.id, {
      ...before,
      variants: given,
    });
    expect(response.json()).toEqual(before);
    expect(await recordedBy(app.db, response)).toEqual([]);
  });

  test('in a patched strategy', async () => {
    await strategiesApi.feature('patched-order');
    const { id } = await strategiesApi.added('patched-order');
    const value = [{ op: 'replace', path: '/variants', value: given }];
    expect((await strategiesApi.patch('patched-order', id, value)).json().variants).toEqual(kept);
    const renamed = [{ op: 'replace', path: '/variants/0/name', value: 'violet' }];
    const { variants } = (await strategiesApi.patch('patched-order', id, renamed)).json();
    expect(variants.map(({ name }: { name: string }) => name)).toEqual(['red', 'violet']);
  });

  test('in an environment', async () => {
    await strategiesApi.feature('in-environment');
    const path = `${featureEnvironmentPath('in-environment')}/variants`;
    const put = await app.ask(`PUT ${path}`, { payload: given });
    const names = (response: typeof put) =>
      response.json().variants.map(({ name }: { name: string }) => name);
    expect(names(put)).toEqual(['blue', 'red']);
    const payload = [{ op: 'add', path: '/-', value: { name: 'Azure', weight: 1 } }];
    expect(names(await app.ask(`PATCH ${path}`, { payload }))).toEqual(['Azure', 'blue', 'red']);
    const { variants } = await variantsForSdk('in-environment');
    expect(variants.map(({ name }: { name: string }) => name)).toEqual(['Azure', 'blue', 'red']);
  });

  test('in a default strategy and in features that get it', async () => {
    await make(app.ask).project('by-default');
    const path = '/api/admin/projects/by-default/environments/development/default-strategy';
    const payload = { name: 'flexibleRollout', variants: given };
    expect((await app.ask(`POST ${path}`, { payload })).json().variants).toEqual(kept);
    await strategiesApi.feature('usual', 'by-default');
    await strategiesApi.turn('usual', 'on', '', { project: 'by-default' });
    expect(await strategiesApi.list('usual', { project: 'by-default' })).toMatchObject([
      { variants: kept },
    ]);
  });

  test('in a feature created with one request', async () => {
    const strategy = { name: 'flexibleRollout', variants: given };
    const environments = [{ name: 'development', strategies: [strategy], variants: given }];
    await make(app.ask).feature('made-whole', { environments });
    const { variants, strategies } = await variantsForSdk('made-whole');
    expect([variants.map(({ name }: { name: string }) => name), strategies]).toEqual([
      ['blue', 'red'],
      [kept],
    ]);
  });

  test('in an import', async () => {
    const data = {
      features: [{ name: 'brought', type: 'release' }],
      featureStrategies: [{ name: 'flexibleRollout', featureName: 'brought', variants: given }],
      featureEnvironments: [{ featureName: 'brought', enabled: true, variants: given }],
    };
    const payload = { project: 'default', environment: 'development', data };
    const response = await app.ask('POST /api/admin/features-batch/import', { payload });
    expect(response.statusCode, response.body).toBe(200);
    const { variants, strategies } = await variantsForSdk('brought');
    expect([variants.map(({ name }: { name: string }) => name), strategies]).toEqual([
      ['blue', 'red'],
      [kept],
    ]);
  });
});
