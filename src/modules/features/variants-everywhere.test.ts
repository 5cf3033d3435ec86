import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/app.ts';
import { limitedApp } from '../../../test/support/limited-app.ts';
import { make } from '../../../test/support/make.ts';
import { recordedBy } from '../../../test/support/recorded.ts';

let on: TestApp;
beforeAll(async () => {
  on = await testApp();
});

const features = '/api/admin/projects/default/features';
const variantsIn = (name: string, environment = 'development') =>
  `${features}/${name}/environments/${environment}/variants`;
const kept = async (name: string, environment = 'development') =>
  (await on.ask(`GET ${variantsIn(name, environment)}`)).json().variants;
const put = (name: string, payload: unknown, environment = 'development') =>
  on.ask(`PUT ${variantsIn(name, environment)}`, { payload: payload as object });
const pathsOf = (response: LightMyRequestResponse) =>
  response.json().details.map(({ path }: { path: string }) => path);

const filled = (name: string, weight: number, more: object = {}) => ({
  name,
  weight,
  weightType: 'variable',
  stickiness: 'default',
  overrides: [],
  ...more,
});
const event = (environment: string | null, data: object[], preData: object[]) => ({
  type: 'feature-environment-variants-updated',
  project: 'default',
  environment,
  data: { variants: data },
  preData: { variants: preData },
});

describe('the same variants for several environments', () => {
  const batch = (name: string, payload: object, asked = on) =>
    asked.ask(`PUT ${features}/${name}/variants-batch`, { payload });
  const environments = ['development', 'production'];
  const wish = [{ name: 'a', weight: 1 }];
  const after = [filled('a', 1000)];

  test('one event for each that changes', async () => {
    await make(on.ask).feature('batch');
    await put('batch', [{ name: 'b', weight: 1 }], 'production');
    const response = await batch('batch', { variants: wish, environments });
    expect([response.statusCode, response.json()]).toEqual([200, { version: 1, variants: after }]);
    expect(await recordedBy(on.db, response)).toEqual([
      event('development', after, []),
      event('production', after, [filled('b', 1000)]),
    ]);
    await put('batch', [], 'development');
    const again = await batch('batch', { variants: wish, environments });
    expect(await recordedBy(on.db, again)).toEqual([event('development', after, [])]);
    expect(await recordedBy(on.db, await batch('batch', { variants: wish, environments }))).toEqual(
      [],
    );
  });

  test('faults are told by their place, and nothing is changed', async () => {
    await make(on.ask).feature('faulty');
    const unknown = await batch('faulty', { variants: wish, environments: ['development', 'x'] });
    expect([unknown.statusCode, pathsOf(unknown)]).toEqual([400, ['/body/environments/1']]);
    const twice = await batch('faulty', { variants: [...wish, ...wish], environments: [] });
    expect(pathsOf(twice).sort()).toEqual(['/body/environments', '/body/variants/1/name']);
    const nothing = await batch('faulty', {});
    expect(pathsOf(nothing).sort()).toEqual(['/body/environments', '/body/variants']);
    const broken = await batch('faulty', { variants: [null], environments });
    expect([broken.statusCode, pathsOf(broken)]).toEqual([400, ['/body/variants/0']]);
    expect(await kept('faulty')).toEqual([]);
  });

  test('the permission is needed in each, and the first that lacks it is named', async () => {
    await make(on.ask).feature('forbidden');
    const limited = await limitedApp(on, {
      may: (permission, project, environment) =>
        permission === 'none' ||
        (permission === 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS' &&
          project === 'default' &&
          environment === 'development'),
    });
    const refused = await batch('forbidden', { variants: wish, environments }, limited);
    expect([refused.statusCode, refused.json().name]).toEqual([403, 'NoAccessError']);
    expect(refused.json().message).toContain("'production'");
    expect(await kept('forbidden')).toEqual([]);
    const allowed = await batch(
      'forbidden',
      { variants: wish, environments: ['development'] },
      limited,
    );
    expect(allowed.statusCode).toBe(200);
    const own = await limited.ask(`PUT ${variantsIn('forbidden', 'production')}`, {
      payload: wish,
    });
    expect([own.statusCode, own.json().message]).toEqual([
      403,
      expect.stringContaining(
        "UPDATE_FEATURE_ENVIRONMENT_VARIANTS permission in the environment 'production'",
      ),
    ]);
    const everywhere = await limited.ask(`PUT ${features}/forbidden/variants`, { payload: wish });
    expect([everywhere.statusCode, everywhere.json().message]).toEqual([
      403,
      expect.stringContaining("'production'"),
    ]);
    expect(
      (await limited.ask(`PATCH ${features}/forbidden/variants`, { payload: [] })).statusCode,
    ).toBe(403);
    expect(await kept('forbidden', 'production')).toEqual([]);
  });
});

describe('the deprecated variants of all environments', () => {
  const all = (name: string) => `${features}/${name}/variants`;
  const wish = [{ name: 'a', weight: 1 }];
  const after = [filled('a', 1000)];

  test('are those of the last environment that has any (2.6)', async () => {
    await make(on.ask).feature('seen');
    const read = async () => (await on.ask(`GET ${all('seen')}`)).json();
    expect(await read()).toEqual({ version: 1, variants: [] });
    await put('seen', wish, 'development');
    expect((await read()).variants).toEqual(after);
    await put('seen', [{ name: 'p', weight: 1 }], 'production');
    expect((await read()).variants).toEqual([filled('p', 1000)]);
    expect((await on.ask(`GET ${all('nosuch')}`)).statusCode).toBe(404);
  });

  test('are replaced by one happening', async () => {
    await make(on.ask).feature('everywhere');
    const response = await on.ask(`PUT ${all('everywhere')}`, { payload: wish });
    expect([response.statusCode, response.json()]).toEqual([200, { version: 1, variants: after }]);
    expect(await kept('everywhere', 'development')).toEqual(after);
    expect(await kept('everywhere', 'production')).toEqual(after);
    expect(await recordedBy(on.db, response)).toEqual([
      { ...event(null, after, []), type: 'feature-variants-updated' },
    ]);
    const again = await on.ask(`PUT ${all('everywhere')}`, { payload: wish });
    expect(await recordedBy(on.db, again)).toEqual([]);
  });

  test('the log keeps what each environment had, where they differed', async () => {
    await make(on.ask).feature('differing');
    await put('differing', [{ name: 'd', weight: 1 }], 'development');
    await put('differing', wish, 'production');
    const response = await on.ask(`PUT ${all('differing')}`, { payload: wish });
    const lost = [filled('d', 1000)];
    expect(await recordedBy(on.db, response)).toEqual([
      {
        type: 'feature-variants-updated',
        project: 'default',
        environment: null,
        data: { variants: after },
        preData: { variants: lost, environments: { development: lost, production: after } },
      },
    ]);
  });

  test('are patched in each environment, with an event for each that changes', async () => {
    await make(on.ask).feature('patched-all');
    await put('patched-all', wish, 'production');
    const operations = [{ op: 'add', path: '/0', value: { name: 'n', weight: 1 } }];
    const response = await on.ask(`PATCH ${all('patched-all')}`, { payload: operations });
    const both = [filled('n', 500), filled('a', 500)];
    expect([response.statusCode, response.json()]).toEqual([200, { version: 1, variants: both }]);
    expect(await recordedBy(on.db, response)).toEqual([
      event('development', [filled('n', 1000)], []),
      event('production', both, after),
    ]);
    const failing = await on.ask(`PATCH ${all('patched-all')}`, {
      payload: [{ op: 'remove', path: '/1' }],
    });
    expect(failing.statusCode).toBe(400);
    expect(await kept('patched-all', 'production')).toEqual(both);
  });

  test('need UPDATE_FEATURE_VARIANTS, or the permission in every environment', async () => {
    await make(on.ask).feature('permitted');
    const app = (...names: string[]) =>
      limitedApp(on, { may: (permission) => ['none', ...names].includes(permission) });
    const [old, current, neither] = [
      await app('UPDATE_FEATURE_VARIANTS'),
      await app('UPDATE_FEATURE_ENVIRONMENT_VARIANTS'),
      await app('UPDATE_FEATURE'),
    ];
    const statuses = [old, current, neither].map(
      async ({ ask }) => (await ask(`PUT ${all('permitted')}`, { payload: wish })).statusCode,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 403]);
  });

  test('a list with a null in it answers 400', async () => {
    await make(on.ask).feature('null');
    const responses = [
      await on.ask(`PUT ${all('null')}`, { payload: [null] }),
      await on.ask(`PATCH ${all('null')}`, { payload: [null] }),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([400, 400]);
  });
});
