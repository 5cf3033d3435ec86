import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { bare, recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';
import { tickingClock } from '../../../../../test/support/ticking-clock.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: tickingClock() });
});

const projects = '/api/admin/projects';
const features = `${projects}/default/features`;
const archive = '/api/admin/archive';
const create = (name: string, more: object = {}) => make(app.ask).feature(name, { ...more });
const read = async (name: string) => (await app.ask(`GET ${features}/${name}`)).json();
const readArchived = async (name: string) =>
  (await app.ask(`GET ${features}/${name}?archived=true`)).json();
const shelve = (name: string) => app.ask(`DELETE ${features}/${name}`);
const revive = (name: string) => app.ask(`POST ${archive}/revive/${name}`);
const remove = (name: string) => app.ask(`DELETE ${archive}/${name}`);
const namesOfActive = async () => {
  const list = (await app.ask(`GET ${features}`)).json().features;
  return list.map(({ name }: { name: string }) => name);
};
const namesIn = async (url: string) => {
  const list = (await app.ask(`GET ${url}`)).json().features;
  return list.map(({ name }: { name: string }) => name);
};

describe('archiving a feature', () => {
  test('removes it from lists, but it can still be read with archived=true and keeps everything', async () => {
    const tags = [{ type: 'simple', value: 'tagged' }];
    await create('shelved', { tags, stale: true });
    await make(app.ask).strategy('shelved');
    await app.ask(`POST ${features}/shelved/environments/development/on`);
    const before = await read('shelved');
    expect(before.enabled).toBe(true);
    const response = await shelve('shelved');
    expect([response.statusCode, response.body]).toEqual([202, '']);
    const gone = await app.ask(`GET ${features}/shelved`);
    expect([gone.statusCode, gone.json().name]).toEqual([404, 'NotFoundError']);
    expect((await app.ask(`GET ${features}/shelved?archived=false`)).statusCode).toBe(404);
    const after = await readArchived('shelved');
    expect(after).toEqual({
      ...before,
      archived: true,
      archivedAt: expect.any(String),
      lifecycle: { stage: 'archived', enteredStageAt: after.archivedAt },
    });
    expect(await namesOfActive()).not.toContain('shelved');
    expect(await recordedAboutFeatures(app.db, response)).toEqual([
      bare('feature-archived', 'shelved', { tags }),
    ]);
  });

  test('has the same result as setting archived with PUT', async () => {
    const tags = [{ type: 'simple', value: 'tagged' }];
    await create('put-away', { tags });
    const response = await app.ask(`PUT ${features}/put-away`, { payload: { archived: true } });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(await readArchived('put-away'));
    expect(response.json()).toMatchObject({ archived: true, lifecycle: { stage: 'archived' } });
    expect((await app.ask(`GET ${features}/put-away`)).statusCode).toBe(404);
    expect(await recordedAboutFeatures(app.db, response)).toEqual([
      bare('feature-archived', 'put-away', { tags }),
    ]);
  });

  test('returns 404 if it is archived, unknown or in another project', async () => {
    await create('once');
    await shelve('once');
    await make(app.ask).project('far');
    await make(app.ask).feature('far-off', { project: 'far' });
    for (const name of ['once', 'far-off', 'nosuch']) {
      const response = await shelve(name);
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
      expect(await recordedAboutFeatures(app.db, response)).toEqual([]);
    }
  });

  test('is rejected while active features depend on it, and names them', async () => {
    for (const name of ['parent', 'child-1', 'child-2']) await create(name);
    await make(app.ask).dependency('child-1', 'parent');
    await make(app.ask).dependency('child-2', 'parent');
    const response = await shelve('parent');
    expect(response.statusCode).toBe(403);
    expect(response.json().name).toBe('InvalidOperationError');
    for (const child of ['child-1', 'child-2']) expect(response.json().message).toContain(child);
    expect(await read('parent')).toMatchObject({ archived: false });
    expect(await recordedAboutFeatures(app.db, response)).toEqual([]);
    await shelve('child-1');
    await shelve('child-2');
    expect((await shelve('parent')).statusCode).toBe(202);
  });

  test('removes its own dependencies first', async () => {
    for (const name of ['needed', 'needy']) await create(name);
    await make(app.ask).dependency('needy', 'needed');
    const response = await shelve('needy');
    expect(await recordedAboutFeatures(app.db, response)).toEqual([
      bare('feature-dependencies-removed', 'needy'),
      bare('feature-archived', 'needy'),
    ]);
    expect(await read('needed')).toMatchObject({ children: [] });
    expect(await readArchived('needy')).toMatchObject({ dependencies: [] });
    await revive('needy');
    expect(await read('needy')).toMatchObject({ dependencies: [] });
  });
});

describe('reviving a feature', () => {
  test('restores it disabled in every environment and in the initial stage', async () => {
    const tags = [{ type: 'simple', value: 'tagged' }];
    await create('phoenix', { tags, description: 'Burns', stale: true });
    await make(app.ask).strategy('phoenix');
    for (const environment of ['development', 'production']) {
      await app.ask(`POST ${features}/phoenix/environments/${environment}/on`);
    }
    await app.ask(`POST ${features}/phoenix/lifecycle/complete`, { payload: { status: 'kept' } });
    const before = await read('phoenix');
    expect(before.lifecycle.stage).toBe('completed');
    await shelve('phoenix');
    const response = await revive('phoenix');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const after = await read('phoenix');
    expect(after).toEqual({
      ...before,
      enabled: false,
      environments: before.environments.map((environment: object) => ({
        ...environment,
        enabled: false,
      })),
      lifecycle: { stage: 'initial', enteredStageAt: expect.any(String) },
    });
    expect(after.lifecycle.enteredStageAt > before.lifecycle.enteredStageAt).toBe(true);
    expect(await recordedAboutFeatures(app.db, response)).toEqual([
      bare('feature-revived', 'phoenix', { tags }),
    ]);
    const stages = (await app.ask(`GET ${features}/phoenix/lifecycle`)).json();
    expect(stages.map(({ stage }: { stage: string }) => stage)).toEqual(['initial']);
  });

  test('returns 404 for an active or unknown feature and records nothing', async () => {
    await create('alive');
    for (const name of ['alive', 'nosuch']) {
      const response = await revive(name);
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
      expect(await recordedAboutFeatures(app.db, response)).toEqual([]);
    }
  });

  test('is rejected if the project is archived or full, but not because of a new naming pattern', async () => {
    await make(app.ask).project('closing');
    await make(app.ask).feature('closed-in', { project: 'closing' });
    await app.ask(`DELETE ${projects}/closing/features/closed-in`);
    await app.ask(`POST ${projects}/archive/closing`);
    expect((await revive('closed-in')).statusCode).toBe(404);
    await app.ask(`POST ${projects}/revive/closing`);
    const settings = { featureLimit: 0, featureNaming: { pattern: 'other' } };
    await app.ask(`PUT ${projects}/closing/settings`, { payload: settings });
    const full = await revive('closed-in');
    expect([full.statusCode, full.json().name]).toEqual([403, 'InvalidOperationError']);
    await app.ask(`PUT ${projects}/closing/settings`, { payload: { featureLimit: 1 } });
    expect((await revive('closed-in')).statusCode).toBe(200);
  });
});

describe('deleting an archived feature', () => {
  test('leaves nothing but its events and frees the name', async () => {
    const tags = [{ type: 'simple', value: 'tagged' }];
    await create('doomed', { tags, description: 'Once', type: 'experiment', stale: true });
    await make(app.ask).strategy('doomed');
    await app.ask(`POST ${features}/doomed/environments/development/on`);
    await shelve('doomed');
    const before = await readArchived('doomed');
    const response = await remove('doomed');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedAboutFeatures(app.db, response)).toEqual([
      bare('feature-deleted', 'doomed', {
        preData: {
          name: 'doomed',
          description: 'Once',
          type: 'experiment',
          project: 'default',
          stale: true,
          impressionData: false,
          createdAt: before.createdAt,
          archived: true,
          archivedAt: before.archivedAt,
        },
        tags,
      }),
    ]);
    expect((await app.ask(`GET ${features}/doomed`)).statusCode).toBe(404);
    await create('doomed');
    expect(await read('doomed')).toMatchObject({ tags: [], stale: false, description: null });
    const [environment] = (await read('doomed')).environments;
    expect(environment).toMatchObject({ enabled: false, strategies: [] });
  });

  test('returns 404 for an active or unknown feature', async () => {
    await create('well');
    for (const name of ['well', 'nosuch']) {
      const response = await remove(name);
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
      expect(await recordedAboutFeatures(app.db, response)).toEqual([]);
    }
    expect(await read('well')).toMatchObject({ archived: false });
  });
});

describe('archiving, reviving and deleting in bulk', () => {
  const bulk = (what: string, names: string[], project = 'default') =>
    app.ask(`POST ${projects}/${project}/${what}`, { payload: { features: names } });

  test('records one event for each feature, ordered by name', async () => {
    const names = ['bulk-c', 'bulk-a', 'bulk-b'];
    for (const name of names) await create(name);
    for (const [what, status, type] of [
      ['archive', 202, 'feature-archived'],
      ['revive', 200, 'feature-revived'],
    ] as const) {
      const response = await bulk(what, [...names, 'bulk-a']);
      expect([response.statusCode, response.body]).toEqual([status, '']);
      expect(await recordedAboutFeatures(app.db, response)).toEqual(
        ['bulk-a', 'bulk-b', 'bulk-c'].map((name) => bare(type, name)),
      );
      const archived = what === 'archive';
      for (const name of names) expect(await readArchived(name)).toMatchObject({ archived });
    }
    await bulk('archive', names);
    const response = await bulk('delete', names);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const recorded = await recordedAboutFeatures(app.db, response);
    expect(recorded.map(({ type, featureName }) => [type, featureName])).toEqual([
      ['feature-deleted', 'bulk-a'],
      ['feature-deleted', 'bulk-b'],
      ['feature-deleted', 'bulk-c'],
    ]);
    for (const name of names) {
      expect((await app.ask(`GET ${features}/${name}`)).statusCode).toBe(404);
    }
  });

  test('changes nothing if one feature is unknown or in the wrong state', async () => {
    for (const name of ['all-a', 'all-b', 'none-a']) await create(name);
    await bulk('archive', ['none-a']);
    await make(app.ask).project('beside');
    await make(app.ask).feature('beside-a', { project: 'beside' });
    for (const [what, names, wrong] of [
      ['archive', ['all-a', 'none-a', 'nosuch', 'all-b', 'beside-a'], [1, 2, 4]],
      ['revive', ['none-a', 'all-a', 'nosuch'], [1, 2]],
      ['delete', ['none-a', 'all-a', 'nosuch'], [1, 2]],
      ['archive/validate', ['all-a', 'none-a', 'nosuch'], [1, 2]],
    ] as const) {
      const response = await bulk(what, [...names]);
      expect(response.statusCode).toBe(400);
      expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual(
        wrong.map((index) => `/body/features/${index}`),
      );
      expect(await recordedAboutFeatures(app.db, response)).toEqual([]);
    }
    expect(await read('all-a')).toMatchObject({ archived: false });
    expect(await readArchived('none-a')).toMatchObject({ archived: true });
  });

  test('accepts an empty list', async () => {
    for (const [what, status] of [
      ['archive', 202],
      ['revive', 200],
      ['delete', 200],
      ['archive/validate', 200],
    ] as const) {
      const response = await bulk(what, []);
      expect(response.statusCode).toBe(status);
      expect(await recordedAboutFeatures(app.db, response)).toEqual([]);
    }
  });

  test('archives a parent only together with all its children', async () => {
    for (const name of ['kin-parent', 'kin-1', 'kin-2']) await create(name);
    for (const child of ['kin-1', 'kin-2']) await make(app.ask).dependency(child, 'kin-parent');
    const before = await bulk('archive/validate', ['kin-parent', 'kin-1']);
    expect(before.json()).toEqual({
      parentsWithChildFeatures: ['kin-parent'],
      hasDeletedDependencies: true,
    });
    expect(await recordedAboutFeatures(app.db, before)).toEqual([]);
    const refused = await bulk('archive', ['kin-parent', 'kin-1']);
    expect(refused.statusCode).toBe(403);
    expect(refused.json().message).toMatch(/'kin-parent'.*'kin-2'/);
    expect(refused.json().message).not.toContain("'kin-1'");
    expect(await read('kin-1')).toMatchObject({ archived: false });

    const whole = ['kin-parent', 'kin-1', 'kin-2'];
    expect((await bulk('archive/validate', whole)).json()).toEqual({
      parentsWithChildFeatures: [],
      hasDeletedDependencies: true,
    });
    expect((await bulk('archive/validate', ['kin-parent'])).json()).toEqual({
      parentsWithChildFeatures: ['kin-parent'],
      hasDeletedDependencies: false,
    });
    const response = await bulk('archive', whole);
    expect(response.statusCode).toBe(202);
    const recorded = await recordedAboutFeatures(app.db, response);
    expect(recorded.map(({ type, featureName }) => [type, featureName])).toEqual([
      ['feature-dependencies-removed', 'kin-1'],
      ['feature-dependencies-removed', 'kin-2'],
      ['feature-archived', 'kin-1'],
      ['feature-archived', 'kin-2'],
      ['feature-archived', 'kin-parent'],
    ]);
  });

  test('revives nothing if the project limit has no room for all', async () => {
    await make(app.ask).project('tight', { featureLimit: 3 });
    const names = ['tight-1', 'tight-2', 'tight-3'];
    for (const name of names) await make(app.ask).feature(name, { project: 'tight' });
    await bulk('archive', names, 'tight');
    await make(app.ask).feature('tight-4', { project: 'tight' });
    expect((await bulk('revive', names, 'tight')).statusCode).toBe(403);
    expect(await namesIn(`${projects}/tight/features`)).toEqual(['tight-4']);
    expect((await bulk('revive', names.slice(1), 'tight')).statusCode).toBe(200);
    expect(await namesIn(`${projects}/tight/features`)).toEqual(['tight-2', 'tight-3', 'tight-4']);
  });

  test.each(['archive', 'archive/validate', 'revive', 'delete'])(
    'rejects an invalid body of %s',
    async (what) => {
      for (const payload of [{}, { features: 'bulk-a' }, { features: [7] }, []]) {
        const response = await app.ask(`POST ${projects}/default/${what}`, { payload });
        expect(response.statusCode).toBe(400);
      }
      const many = Array.from({ length: 1001 }, (_, index) => `many-${index}`);
      const response = await bulk(what, many);
      expect(response.json().details).toMatchObject([{ path: '/body/features' }]);
      expect((await app.ask(`POST ${projects}/default/${what}`)).statusCode).toBe(400);
      expect((await bulk(what, ['a'], 'nosuch')).statusCode).toBe(404);
    },
  );
});

describe('the lists of the archive', () => {
  test('contain archived features sorted by name, of one project or of all', async () => {
    await make(app.ask).project('listed');
    for (const name of ['listed-b', 'listed-a', 'listed-c']) {
      await make(app.ask).feature(name, { project: 'listed' });
    }
    await create('listed-elsewhere');
    await shelve('listed-elsewhere');
    for (const name of ['listed-b', 'listed-a']) {
      await app.ask(`DELETE ${projects}/listed/features/${name}`);
    }
    expect(await namesIn(`${archive}/features/listed`)).toEqual(['listed-a', 'listed-b']);
    const all = await namesIn(`${archive}/features`);
    expect(all).toEqual(expect.arrayContaining(['listed-a', 'listed-b', 'listed-elsewhere']));
    expect(all).not.toContain('listed-c');
    expect(all).toEqual([...all].sort());
    const [first] = (await app.ask(`GET ${archive}/features/listed`)).json().features;
    expect(first).toMatchObject({
      name: 'listed-a',
      project: 'listed',
      archived: true,
      archivedAt: expect.any(String),
    });
    expect((await app.ask(`GET ${archive}/features/nosuch`)).statusCode).toBe(404);
  });
});
