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

let on: TestApp;
let of: ReturnType<typeof variantsOn>;
beforeAll(async () => {
  on = await testApp();
  of = variantsOn(on);
});

const features = '/api/admin/projects/default/features';

describe('the same variants for several environments', () => {
  const batch = (name: string, payload: object, asked = on) =>
    asked.ask(`PUT ${features}/${name}/variants-batch`, { payload });
  const environments = ['development', 'production'];
  const wish = [{ name: 'a', weight: 1 }];
  const after = [variant('a')];

  test('one event for each that changes', async () => {
    await make(on.ask).feature('batch');
    await of.put('batch', [{ name: 'b', weight: 1 }], 'production');
    const response = await batch('batch', { variants: wish, environments });
    expect([response.statusCode, response.json()]).toEqual([200, { version: 1, variants: after }]);
    expect(await recordedBy(on.db, response)).toEqual([
      variantsUpdated('development', after, []),
      variantsUpdated('production', after, [variant('b')]),
    ]);
    await of.put('batch', [], 'development');
    const again = await batch('batch', { variants: wish, environments });
    expect(await recordedBy(on.db, again)).toEqual([variantsUpdated('development', after, [])]);
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
    expect(await of.kept('faulty')).toEqual([]);
  });

  test('the permission is needed in each, and the first that lacks it is named', async () => {
    await make(on.ask).feature('forbidden');
    const limited = await limitedApp(on, {
      may: (permission, project, environment) =>
        permission === 'none' ||
        (permission === 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS' &&
          (project === undefined || (project === 'default' && environment === 'development'))),
    });
    const refused = await batch('forbidden', { variants: wish, environments }, limited);
    expect([refused.statusCode, refused.json().name]).toEqual([403, 'NoAccessError']);
    expect(refused.json().message).toContain("'production'");
    expect(await of.kept('forbidden')).toEqual([]);
    const allowed = await batch(
      'forbidden',
      { variants: wish, environments: ['development'] },
      limited,
    );
    expect(allowed.statusCode).toBe(200);
    const own = await limited.ask(`PUT ${variantsPath('forbidden', 'production')}`, {
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
    expect(await of.kept('forbidden', 'production')).toEqual([]);
  });
});

describe('the deprecated variants of all environments', () => {
  const all = (name: string) => `${features}/${name}/variants`;
  const wish = [{ name: 'a', weight: 1 }];
  const after = [variant('a')];

  test('are those of the last environment that has any (2.6)', async () => {
    await make(on.ask).feature('seen');
    const read = async () => (await on.ask(`GET ${all('seen')}`)).json();
    expect(await read()).toEqual({ version: 1, variants: [] });
    await of.put('seen', wish, 'development');
    expect((await read()).variants).toEqual(after);
    await of.put('seen', [{ name: 'p', weight: 1 }], 'production');
    expect((await read()).variants).toEqual([variant('p')]);
    expect((await on.ask(`GET ${all('nosuch')}`)).statusCode).toBe(404);
  });

  test('are replaced by one happening', async () => {
    await make(on.ask).feature('everywhere');
    const response = await on.ask(`PUT ${all('everywhere')}`, { payload: wish });
    expect([response.statusCode, response.json()]).toEqual([200, { version: 1, variants: after }]);
    expect(await of.kept('everywhere', 'development')).toEqual(after);
    expect(await of.kept('everywhere', 'production')).toEqual(after);
    expect(await recordedBy(on.db, response)).toEqual([
      { ...variantsUpdated(null, after, []), type: 'feature-variants-updated' },
    ]);
    const again = await on.ask(`PUT ${all('everywhere')}`, { payload: wish });
    expect(await recordedBy(on.db, again)).toEqual([]);
  });

  test('the log keeps what each environment had, where they differed', async () => {
    await make(on.ask).feature('differing');
    await of.put('differing', [{ name: 'd', weight: 1 }], 'development');
    await of.put('differing', wish, 'production');
    const response = await on.ask(`PUT ${all('differing')}`, { payload: wish });
    const lost = [variant('d')];
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
    await of.put('patched-all', wish, 'production');
    const operations = [{ op: 'add', path: '/0', value: { name: 'n', weight: 1 } }];
    const response = await on.ask(`PATCH ${all('patched-all')}`, { payload: operations });
    const both = [variant('a', 500), variant('n', 500)];
    expect([response.statusCode, response.json()]).toEqual([200, { version: 1, variants: both }]);
    expect(await recordedBy(on.db, response)).toEqual([
      variantsUpdated('development', [variant('n')], []),
      variantsUpdated('production', both, after),
    ]);
    const failing = await on.ask(`PATCH ${all('patched-all')}`, {
      payload: [{ op: 'remove', path: '/1' }],
    });
    expect(failing.statusCode).toBe(400);
    expect(await of.kept('patched-all', 'production')).toEqual(both);
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
