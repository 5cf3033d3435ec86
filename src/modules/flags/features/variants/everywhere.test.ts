import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { pathsOf } from '../../../../../test/support/faults.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import {
  variant,
  variantsOn,
  variantsPath,
  variantsUpdated,
} from '../../../../../test/support/variants.ts';

let server: TestApp;
let variantsApi: ReturnType<typeof variantsOn>;
beforeAll(async () => {
  server = await testApp();
  variantsApi = variantsOn(server);
});

const features = '/api/admin/projects/default/features';

describe('setting the same variants in several environments', () => {
  const batch = (name: string, payload: object, asked = server) =>
    asked.ask(`PUT ${features}/${name}/variants-batch`, { payload });
  const environments = ['development', 'production'];
  const input = [{ name: 'a', weight: 1 }];
  const after = [variant('a')];

  test('records one event for each environment that changes', async () => {
    await make(server.ask).feature('batch');
    await variantsApi.put('batch', [{ name: 'b', weight: 1 }], 'production');
    const response = await batch('batch', { variants: input, environments });
    expect([response.statusCode, response.json()]).toEqual([200, { version: 1, variants: after }]);
    expect(await recordedBy(server.db, response)).toEqual([
      variantsUpdated('development', after, []),
      variantsUpdated('production', after, [variant('b')]),
    ]);
    await variantsApi.put('batch', [], 'development');
    const again = await batch('batch', { variants: input, environments });
    expect(await recordedBy(server.db, again)).toEqual([variantsUpdated('development', after, [])]);
    expect(
      await recordedBy(server.db, await batch('batch', { variants: input, environments })),
    ).toEqual([]);
  });

  test('reports validation errors with their paths and changes nothing', async () => {
    await make(server.ask).feature('faulty');
    const unknown = await batch('faulty', { variants: input, environments: ['development', 'x'] });
    expect([unknown.statusCode, pathsOf(unknown)]).toEqual([400, ['/body/environments/1']]);
    const twice = await batch('faulty', { variants: [...input, ...input], environments: [] });
    expect(pathsOf(twice).sort()).toEqual(['/body/environments', '/body/variants/1/name']);
    const nothing = await batch('faulty', {});
    expect(pathsOf(nothing).sort()).toEqual(['/body/environments', '/body/variants']);
    const broken = await batch('faulty', { variants: [null], environments });
    expect([broken.statusCode, pathsOf(broken)]).toEqual([400, ['/body/variants/0']]);
    expect(await variantsApi.kept('faulty')).toEqual([]);
  });

  test('requires the permission in each environment and names the first one without it', async () => {
    await make(server.ask).feature('forbidden');
    const limited = limitedApp(server, {
      may: (permission, project, environment) =>
        permission === 'none' ||
        (permission === 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS' &&
          (project === undefined || (project === 'default' && environment === 'development'))),
    });
    const refused = await batch('forbidden', { variants: input, environments }, limited);
    expect([refused.statusCode, refused.json().name]).toEqual([403, 'NoAccessError']);
    expect(refused.json().message).toContain("'production'");
    expect(await variantsApi.kept('forbidden')).toEqual([]);
    const allowed = await batch(
      'forbidden',
      { variants: input, environments: ['development'] },
      limited,
    );
    expect(allowed.statusCode).toBe(200);
    const own = await limited.ask(`PUT ${variantsPath('forbidden', 'production')}`, {
      payload: input,
    });
    expect([own.statusCode, own.json().message]).toEqual([
      403,
      expect.stringContaining(
        "UPDATE_FEATURE_ENVIRONMENT_VARIANTS permission in the environment 'production'",
      ),
    ]);
    const everywhere = await limited.ask(`PUT ${features}/forbidden/variants`, { payload: input });
    expect([everywhere.statusCode, everywhere.json().message]).toEqual([
      403,
      expect.stringContaining("'production'"),
    ]);
    expect(
      (await limited.ask(`PATCH ${features}/forbidden/variants`, { payload: [] })).statusCode,
    ).toBe(403);
    expect(await variantsApi.kept('forbidden', 'production')).toEqual([]);
  });
});

describe('the deprecated variants of all environments', () => {
  const all = (name: string) => `${features}/${name}/variants`;
  const input = [{ name: 'a', weight: 1 }];
  const after = [variant('a')];

  test('are those of the last environment that has any (2.6)', async () => {
    await make(server.ask).feature('seen');
    const read = async () => (await server.ask(`GET ${all('seen')}`)).json();
    expect(await read()).toEqual({ version: 1, variants: [] });
    await variantsApi.put('seen', input, 'development');
    expect((await read()).variants).toEqual(after);
    await variantsApi.put('seen', [{ name: 'p', weight: 1 }], 'production');
    expect((await read()).variants).toEqual([variant('p')]);
    expect((await server.ask(`GET ${all('nosuch')}`)).statusCode).toBe(404);
  });

  test('are replaced in all environments with one event', async () => {
    await make(server.ask).feature('everywhere');
    const response = await server.ask(`PUT ${all('everywhere')}`, { payload: input });
    expect([response.statusCode, response.json()]).toEqual([200, { version: 1, variants: after }]);
    expect(await variantsApi.kept('everywhere', 'development')).toEqual(after);
    expect(await variantsApi.kept('everywhere', 'production')).toEqual(after);
    expect(await recordedBy(server.db, response)).toEqual([
      { ...variantsUpdated(null, after, []), type: 'feature-variants-updated' },
    ]);
    const again = await server.ask(`PUT ${all('everywhere')}`, { payload: input });
    expect(await recordedBy(server.db, again)).toEqual([]);
  });

  test('are recorded for each environment if they differed before', async () => {
    await make(server.ask).feature('differing');
    await variantsApi.put('differing', [{ name: 'd', weight: 1 }], 'development');
    await variantsApi.put('differing', input, 'production');
    const response = await server.ask(`PUT ${all('differing')}`, { payload: input });
    const lost = [variant('d')];
    expect(await recordedBy(server.db, response)).toEqual([
      {
        type: 'feature-variants-updated',
        project: 'default',
        environment: null,
        data: { variants: after },
        preData: { variants: lost, environments: { development: lost, production: after } },
      },
    ]);
  });

  test('are patched in each environment with an event for each change', async () => {
    await make(server.ask).feature('patched-all');
    await variantsApi.put('patched-all', input, 'production');
    const operations = [{ op: 'add', path: '/0', value: { name: 'n', weight: 1 } }];
    const response = await server.ask(`PATCH ${all('patched-all')}`, { payload: operations });
    const both = [variant('a', 500), variant('n', 500)];
    expect([response.statusCode, response.json()]).toEqual([200, { version: 1, variants: both }]);
    expect(await recordedBy(server.db, response)).toEqual([
      variantsUpdated('development', [variant('n')], []),
      variantsUpdated('production', both, after),
    ]);
    const failing = await server.ask(`PATCH ${all('patched-all')}`, {
      payload: [{ op: 'remove', path: '/1' }],
    });
    expect(failing.statusCode).toBe(400);
    expect(await variantsApi.kept('patched-all', 'production')).toEqual(both);
  });

  test('require UPDATE_FEATURE_VARIANTS, or the permission in every environment', async () => {
    await make(server.ask).feature('permitted');
    const app = (...names: string[]) =>
      limitedApp(server, { may: (permission) => ['none', ...names].includes(permission) });
    const [old, current, neither] = [
      await app('UPDATE_FEATURE_VARIANTS'),
      await app('UPDATE_FEATURE_ENVIRONMENT_VARIANTS'),
      await app('UPDATE_FEATURE'),
    ];
    const statuses = [old, current, neither].map(
      async ({ ask }) => (await ask(`PUT ${all('permitted')}`, { payload: input })).statusCode,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 403]);
  });

  test('return 400 for a list that contains null', async () => {
    await make(server.ask).feature('null');
    const responses = [
      await server.ask(`PUT ${all('null')}`, { payload: [null] }),
      await server.ask(`PATCH ${all('null')}`, { payload: [null] }),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([400, 400]);
  });
});
