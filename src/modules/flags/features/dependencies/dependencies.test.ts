import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { raceRounds, randomCases } from '../../../../../test/support/random-cases.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import { lockActiveFeatures } from '../lock.ts';
import { removeParents } from './service.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const features = '/api/admin/projects/default/features';
const depend = (child: string, payload: object, client = app) =>
  client.ask(`POST ${features}/${child}/dependencies`, { payload });
const release = (child: string, parent: string) =>
  app.ask(`DELETE ${features}/${child}/dependencies/${parent}`);
const create = async (...names: string[]) => {
  for (const name of names) await make(app.ask).feature(name);
};
const edges = () =>
  app.db
    .selectFrom('feature_dependencies')
    .select(['child', 'parent', 'enabled', 'variants'])
    .orderBy('child')
    .orderBy('parent')
    .execute();
const parentsOf = async (name: string) =>
  (await edges()).filter(({ child }) => child === name).map(({ child, ...edge }) => edge);
const added = (data: object) => ({
  type: 'feature-dependency-added',
  project: 'default',
  environment: null,
  data,
  preData: null,
});

const refusal = (response: LightMyRequestResponse) => [
  response.statusCode,
  response.json().name,
  response.json().message,
];

describe('adding a dependency', () => {
  test('requires the parent to be enabled by default', async () => {
    await create('child', 'parent');
    const response = await depend('child', { feature: 'parent' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const dependency = { feature: 'parent', enabled: true, variants: [] };
    expect(await parentsOf('child')).toEqual([{ parent: 'parent', enabled: true, variants: [] }]);
    expect(await recordedBy(app.db, response)).toEqual([added(dependency)]);
    const recorded = await app.db
      .selectFrom('events')
      .where('request_id', '=', String(response.headers['x-request-id']))
      .select(['feature_name as featureName', 'summary'])
      .executeTakeFirstOrThrow();
    expect(recorded.featureName).toBe('child');
    expect(recorded.summary).toContain('**parent**');
  });

  test('changes an existing dependency, and records nothing if it is the same', async () => {
    await create('changing', 'changing-parent');
    const feature = 'changing-parent';
    await depend('changing', { feature });
    const variants = await depend('changing', { feature, variants: ['b', 'a', 'b'] });
    expect(await recordedBy(app.db, variants)).toEqual([
      added({ feature, enabled: true, variants: ['b', 'a'] }),
    ]);
    const off = await depend('changing', { feature, enabled: false });
    expect(await recordedBy(app.db, off)).toEqual([
      added({ feature, enabled: false, variants: [] }),
    ]);
    const same = await depend('changing', { feature, enabled: false, variants: [] });
    expect(same.statusCode).toBe(200);
    expect(await recordedBy(app.db, same)).toEqual([]);
    expect(await parentsOf('changing')).toEqual([
      { parent: feature, enabled: false, variants: [] },
    ]);
  });

  test('allows several parents and several children', async () => {
    await create('c1', 'c2', 'p1', 'p2');
    const responses = [
      await depend('c1', { feature: 'p1' }),
      await depend('c1', { feature: 'p2' }),
      await depend('c2', { feature: 'p1' }),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect((await parentsOf('c1')).map(({ parent }) => parent)).toEqual(['p1', 'p2']);
  });

  test('rejects an unknown or invisible parent as a validation error', async () => {
    await create('orphan');
    await make(app.ask).project('hidden');
    await make(app.ask).feature('secret', { project: 'hidden' });
    const blind = limitedApp(app, { sees: new Set(['default']) });
    for (const response of [
      await depend('orphan', { feature: 'nosuch' }),
      await depend('orphan', { feature: 'secret' }, blind),
    ]) {
      expect(response.statusCode).toBe(400);
      expect(response.json().details).toEqual([
        { path: '/body/feature', message: expect.stringMatching(/^Feature '\w+' not found$/) },
      ]);
    }
    expect(refusal(await depend('orphan', { feature: 'secret' }))).toEqual([
      403,
      'InvalidOperationError',
      expect.stringContaining('another project'),
    ]);
    expect(await parentsOf('orphan')).toEqual([]);
  });

  test('rejects the feature itself, an archived parent, chains in both directions and cycles', async () => {
    await create('top', 'middle', 'bottom', 'gone');
    await app.ask(`DELETE ${features}/gone`);
    await depend('middle', { feature: 'top' });
    const before = await countEvents(app.db);
    const refused: [string, string, string][] = [
      ['bottom', 'bottom', 'itself'],
      ['bottom', 'gone', 'archived'],
      ['bottom', 'middle', 'itself depends on another feature'],
      ['top', 'bottom', "other features depend on 'top'"],
      ['top', 'middle', 'itself depends on another feature'],
    ];
    for (const [child, feature, words] of refused) {
      expect(refusal(await depend(child, { feature }))).toEqual([
        403,
        'InvalidOperationError',
        expect.stringContaining(words),
      ]);
    }
    expect(await countEvents(app.db)).toBe(before);
    expect(await parentsOf('bottom')).toEqual([]);
    expect(await parentsOf('top')).toEqual([]);
  });

  test.each([
    [{}, '/body/feature'],
    [{ feature: 7 }, '/body/feature'],
    [{ feature: 'x', enabled: 'no' }, '/body/enabled'],
    [{ feature: 'x', variants: 'a' }, '/body/variants'],
    [{ feature: 'x', enabled: false, variants: ['a'] }, '/body/variants'],
  ])('returns 400 for %j', async (payload, path) => {
    await make(app.ask)
      .feature('malformed')
      .catch(() => undefined);
    const response = await depend('malformed', payload);
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toMatchObject([{ path }]);
  });

  test('returns 404 for a child that is unknown, archived or in another project', async () => {
    await create('adult', 'buried');
    await app.ask(`DELETE ${features}/buried`);
    await make(app.ask).project('foreign');
    await make(app.ask).feature('abroad', { project: 'foreign' });
    for (const child of ['nosuch', 'buried', 'abroad']) {
      const responses = [
        await depend(child, { feature: 'adult' }),
        await release(child, 'adult'),
        await app.ask(`DELETE ${features}/${child}/dependencies`),
        await app.ask(`GET ${features}/${child}/parents`),
      ];
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    }
  });

  test('requires UPDATE_FEATURE_DEPENDENCY', async () => {
    await create('guarded', 'guard');
    const viewer = limitedApp(app, { may: (permission) => permission === 'none' });
    const refused = await depend('guarded', { feature: 'guard' }, viewer);
    expect(refusal(refused)).toEqual([
      403,
      'NoAccessError',
      expect.stringContaining('UPDATE_FEATURE_DEPENDENCY'),
    ]);
  });
});

describe('removing dependencies', () => {
  test('removes one parent, and returns 404 the second time', async () => {
    await create('freed', 'kept-parent', 'lost-parent');
    await depend('freed', { feature: 'kept-parent' });
    await depend('freed', { feature: 'lost-parent' });
    const response = await release('freed', 'lost-parent');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect((await parentsOf('freed')).map(({ parent }) => parent)).toEqual(['kept-parent']);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'feature-dependency-removed',
        project: 'default',
        environment: null,
        data: { feature: 'lost-parent' },
        preData: null,
      },
    ]);
    const again = await release('freed', 'lost-parent');
    expect([again.statusCode, again.json().message]).toEqual([
      404,
      "Dependency on 'lost-parent' not found",
    ]);
  });

  test('removes all parents in one request', async () => {
    await create('all-freed', 'q1', 'q2');
    await depend('all-freed', { feature: 'q1' });
    await depend('all-freed', { feature: 'q2' });
    const response = await app.ask(`DELETE ${features}/all-freed/dependencies`);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await parentsOf('all-freed')).toEqual([]);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'feature-dependencies-removed',
        project: 'default',
        environment: null,
        data: null,
        preData: null,
      },
    ]);
    const again = await app.ask(`DELETE ${features}/all-freed/dependencies`);
    expect(again.statusCode).toBe(200);
    expect(await recordedBy(app.db, again)).toEqual([]);
  });

  test('removes those of several features and records only features that had one', async () => {
    await create('bulk-1', 'bulk-2', 'bulk-3');
    await depend('bulk-1', { feature: 'bulk-3' });
    const before = await countEvents(app.db);
    await app.transact(testActor, async (tx) => {
      const locked = await lockActiveFeatures(tx, 'default', ['bulk-1', 'bulk-2']);
      await removeParents(tx, locked);
    });
    expect(await countEvents(app.db)).toBe(before + 1);
    expect(await parentsOf('bulk-1')).toEqual([]);
  });
});

describe('the choices for a dependency', () => {
  const listed = async (path: string) => (await app.ask(`GET ${path}`)).json();

  test('list exactly the possible parents', async () => {
    await make(app.ask).project('choosing');
    const own = '/api/admin/projects/choosing/features';
    for (const name of ['zeta', 'alpha', 'having', 'had', 'old']) {
      await make(app.ask).feature(name, { project: 'choosing' });
    }
    await app.ask(`DELETE ${own}/old`);
    await app.ask(`POST ${own}/having/dependencies`, { payload: { feature: 'had' } });
    expect(await listed(`${own}/alpha/parents`)).toEqual(['had', 'zeta']);
    expect(await listed(`${own}/having/parents`)).toEqual(['alpha', 'had', 'zeta']);
    expect(await listed(`${own}/had/parents`)).toEqual([]);
  });

  test('list variants of the environments and strategies of the parent', async () => {
    await create('varied');
    expect(await listed(`${features}/varied/parent-variants`)).toEqual([]);
    const variant = (name: string) => ({ name, weight: 1 });
    await make(app.ask).variants('varied', [variant('b'), variant('a')]);
    await make(app.ask).variants('varied', [variant('a')], { environment: 'production' });
    await make(app.ask).strategy('varied', {
      variants: [{ ...variant('s'), weightType: 'variable', stickiness: 'default' }],
    });
    expect(await listed(`${features}/varied/parent-variants`)).toEqual(['a', 'b', 's']);
    // The UI requests them before a parent is selected.
    expect(await listed(`${features}/nosuch/parent-variants`)).toEqual([]);
    await make(app.ask).project('elsewhere');
    const elsewhere = '/api/admin/projects/elsewhere/features';
    expect(await listed(`${elsewhere}/varied/parent-variants`)).toEqual([]);
  });

  test('include whether any feature of the project depends on another', async () => {
    await make(app.ask).project('related');
    for (const name of ['related-1', 'related-2']) {
      await make(app.ask).feature(name, { project: 'related' });
    }
    const path = '/api/admin/projects/related/dependencies';
    const before = await app.ask(`GET ${path}`);
    expect([before.statusCode, before.body]).toEqual([200, 'false']);
    expect(before.headers['content-type']).toContain('application/json');
    await app.ask('POST /api/admin/projects/related/features/related-1/dependencies', {
      payload: { feature: 'related-2' },
    });
    expect((await app.ask(`GET ${path}`)).body).toBe('true');
    expect((await app.ask('GET /api/admin/projects/nosuch/dependencies')).statusCode).toBe(404);
  });
});

describe('any sequence of requests', () => {
  const home = ['m0', 'm1', 'm2', 'm3', 'm4'];
  const names = [...home, 'm-abroad', 'm-archived', 'm-nosuch'];

  test('never creates a chain, a cycle or a dependency on another project, as a simple model predicts', async () => {
    await create(...home, 'm-archived');
    await app.ask(`DELETE ${features}/m-archived`);
    await make(app.ask).project('model');
    await make(app.ask).feature('m-abroad', { project: 'model' });

    const expected = (model: Set<string>, child: string, parent: string): number => {
      const pairs = [...model].map((edge) => edge.split(' ') as [string, string]);
      if (!home.includes(child)) return 404;
      if (parent === 'm-nosuch') return 400;
      if (child === parent || !home.includes(parent)) return 403;
      if (pairs.some(([own]) => own === parent)) return 403;
      if (pairs.some(([, own]) => own === child)) return 403;
      return 200;
    };
    const command = fc.record({
      add: fc.boolean(),
      child: fc.constantFrom(...names),
      parent: fc.constantFrom(...names),
    });

    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
        await app.db.deleteFrom('feature_dependencies').execute();
        const model = new Set<string>();
        for (const { add, child, parent } of commands) {
          const edge = `${child} ${parent}`;
          if (add) {
            const status = expected(model, child, parent);
            expect((await depend(child, { feature: parent })).statusCode, edge).toBe(status);
            if (status === 200) model.add(edge);
          } else {
            const known = model.delete(edge);
            expect((await release(child, parent)).statusCode, edge).toBe(known ? 200 : 404);
          }
        }
        const stored = (await edges()).map(({ child, parent }) => `${child} ${parent}`);
        expect(stored).toEqual([...model].sort());
        const parents = new Set(stored.map((edge) => edge.split(' ')[1]));
        expect(stored.filter((edge) => parents.has(edge.split(' ')[0]))).toEqual([]);
        for (const child of home) {
          const possible = (await app.ask(`GET ${features}/${child}/parents`)).json();
          const taken = home.filter((parent) => expected(model, child, parent) === 200);
          expect(possible.filter((name: string) => home.includes(name))).toEqual(taken);
        }
      }),
      randomCases(5, 100),
    );
  });

  test('creates only one link of a chain or cycle when they are added concurrently', async () => {
    await create('race-a', 'race-b', 'race-c');
    const races: [string, string][][] = [
      [
        ['race-a', 'race-b'],
        ['race-b', 'race-c'],
      ],
      [
        ['race-a', 'race-b'],
        ['race-b', 'race-a'],
      ],
      [
        ['race-a', 'race-b'],
        ['race-b', 'race-c'],
        ['race-c', 'race-a'],
      ],
    ];
    for (const race of races) {
      for (let round = 0; round < raceRounds; round += 1) {
        await app.db.deleteFrom('feature_dependencies').execute();
        const responses = await Promise.all(
          race.map(([child, feature]) => depend(child, { feature })),
        );
        const statuses = responses.map(({ statusCode }) => statusCode).sort();
        expect(statuses).toEqual([200, ...Array<number>(race.length - 1).fill(403)]);
        expect(await edges()).toHaveLength(1);
      }
    }
  });
});

test('a variant of a parent longer than a variant name is rejected', async () => {
  await create('long-parent', 'long-child');
  const response = await depend('long-child', {
    feature: 'long-parent',
    variants: ['short', 'x'.repeat(101)],
  });
  expect(response.statusCode).toBe(400);
  expect(response.json().details[0].path).toBe('/body/variants/1');
});
