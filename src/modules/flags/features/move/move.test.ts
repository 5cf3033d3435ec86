import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';
import { recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';
import { variant } from '../../../../../test/support/variants.ts';

let app: TestApp;
let create: ReturnType<typeof make>;
beforeAll(async () => {
  app = await testApp();
  create = make(app.ask);
});

const projects = '/api/admin/projects';

const move = (project: string, feature: string, newProjectId: unknown) =>
  app.ask(`POST ${projects}/${project}/features/${feature}/changeProject`, {
    payload: { newProjectId },
  });
const read = (project: string, feature: string) =>
  app.ask(`GET ${projects}/${project}/features/${feature}`);
const outcome = (response: LightMyRequestResponse) => [
  response.statusCode,
  response.body && response.json().name,
];

describe('moving a feature', () => {
  test('keeps all its content and records one event in the new project', async () => {
    await create.project('new');
    const tags = [{ type: 'simple', value: 'blue' }];
    await create.feature('mover', { tags, description: 'Of old' });
    await create.strategy('mover', { parameters: { rollout: '7' } }, { environment: 'production' });
    await create.variants('mover', [variant('blue')]);
    await create.switchedOn('mover', { environment: 'production' });
    const before = (await read('default', 'mover')).json();

    const response = await move('default', 'mover', 'new');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect((await read('new', 'mover')).json()).toEqual({ ...before, project: 'new' });
    expect((await read('default', 'mover')).statusCode).toBe(404);
    expect(await recordedAboutFeatures(app.db, response)).toEqual([
      {
        type: 'feature-project-change',
        project: 'new',
        environment: null,
        featureName: 'mover',
        data: { newProject: 'new', oldProject: 'default' },
        preData: null,
        tags,
      },
    ]);
  });

  test('to the same project changes and records nothing', async () => {
    await create.feature('stayer');
    const before = await countEvents(app.db);
    expect((await move('default', 'stayer', 'default')).statusCode).toBe(200);
    expect(await countEvents(app.db)).toBe(before);
    expect((await read('default', 'stayer')).statusCode).toBe(200);
  });

  test('leaves nothing in environments that the new project does not have', async () => {
    await create.project('narrow', { environments: ['production'] });
    await create.feature('clean');
    const { id } = await create.strategy('clean');
    await create.switchedOn('clean', { environment: 'development' });
    await create.variants('clean', [variant('blue')]);
    await create.variants('clean', []);
    await app.ask(
      `DELETE ${projects}/default/features/clean/environments/development/strategies/${id}`,
    );
    expect((await move('default', 'clean', 'narrow')).statusCode).toBe(200);
    const left = await app.db
      .selectFrom('feature_environments')
      .where('feature_name', '=', 'clean')
      .selectAll()
      .execute();
    expect(left).toEqual([]);
    const { environments } = (await read('narrow', 'clean')).json();
    expect(environments.map(({ name }: { name: string }) => name)).toEqual(['production']);
  });
});

describe('moving a feature is rejected', () => {
  const refused = async (feature: string, target: string): Promise<string> => {
    const before = await countEvents(app.db);
    const response = await move('default', feature, target);
    expect(outcome(response)).toEqual([403, 'InvalidOperationError']);
    expect(await countEvents(app.db)).toBe(before);
    expect((await read('default', feature)).statusCode).toBe(200);
    return response.json().message;
  };

  test.each(['strategies', 'variants'] as const)(
    'if it has %s in an environment that the project does not have',
    async (what) => {
      const name = `with-${what}`;
      await create.project(`lacks-${what}`, { environments: ['production'] });
      await create.feature(name);
      if (what === 'strategies') await create.strategy(name);
      else await create.variants(name, [variant('blue')]);
      const message = await refused(name, `lacks-${what}`);
      expect(message).toContain('in environments that the project does not have (development)');
    },
  );

  test('if it uses a segment of its project, but not for a global segment', async () => {
    await create.project('elsewhere');
    const own = await create.segment('own', { project: 'default' });
    const global = await create.segment('global');
    await create.feature('segmented');
    await create.strategy('segmented', { segments: [own.id, global.id] });
    expect(await refused('segmented', 'elsewhere')).toContain(
      'its strategies use segments of its own project (own)',
    );
    await create.feature('unsegmented');
    await create.strategy('unsegmented', { segments: [global.id] });
    expect((await move('default', 'unsegmented', 'elsewhere')).statusCode).toBe(200);
  });

  test('if it depends on others, or others depend on it', async () => {
    await create.project('lonely');
    await create.feature('parent');
    await create.feature('child');
    await create.dependency('child', 'parent');
    expect(await refused('child', 'lonely')).toContain('it depends on other features (parent)');
    expect(await refused('parent', 'lonely')).toContain('other features depend on it (child)');
  });

  test('if the project is full, not counting archived features', async () => {
    await create.project('full', { featureLimit: 1 });
    await create.feature('first', { project: 'full' });
    await create.feature('second');
    expect(await refused('second', 'full')).toContain('has reached its limit of 1 features');
    await app.ask(`DELETE ${projects}/full/features/first`);
    expect((await move('default', 'second', 'full')).statusCode).toBe(200);
  });

  test('with all reasons in one response', async () => {
    await create.project('impossible', { environments: ['production'], featureLimit: 0 });
    const own = await create.segment('own-too', { project: 'default' });
    await create.feature('entangled-parent');
    await create.feature('entangled');
    await create.dependency('entangled', 'entangled-parent');
    await create.strategy('entangled', { segments: [own.id] });
    expect(await refused('entangled', 'impossible')).toBe(
      "The feature 'entangled' cannot be moved to the project 'impossible': " +
        'it is enabled, or has strategies or variants, in environments that the project does not have (development); ' +
        'its strategies use segments of its own project (own-too); ' +
        'it depends on other features (entangled-parent); ' +
        'the project has reached its limit of 0 features',
    );
  });

  test('if its name does not match the naming pattern of the project', async () => {
    const featureNaming = { pattern: 'web-.+', example: 'web-shop', description: 'Of the web' };
    await create.project('patterned', { featureNaming });
    await create.feature('app-shop');
    const response = await move('default', 'app-shop', 'patterned');
    expect(outcome(response)).toEqual([400, 'PatternError']);
    for (const part of Object.values(featureNaming)) {
      expect(response.json().message).toContain(part);
    }
    await create.feature('web-app');
    expect((await move('default', 'web-app', 'patterned')).statusCode).toBe(200);
  });
});

describe('moving without a valid feature or target', () => {
  test('returns 404 if the feature is unknown, archived or in another project', async () => {
    await create.project('other');
    await create.feature('gone');
    await app.ask(`DELETE ${projects}/default/features/gone`);
    await create.feature('foreign', { project: 'other' });
    for (const name of ['unknown', 'gone', 'foreign']) {
      const response = await move('default', name, 'other');
      expect(outcome(response)).toEqual([404, 'NotFoundError']);
      expect(response.json().message).toContain(name);
    }
  });

  test('returns 404 if the target project is unknown, archived or invisible to the caller', async () => {
    await create.project('asleep');
    await create.project('hidden');
    await app.ask(`POST ${projects}/archive/asleep`);
    await create.feature('homeless');
    const some = limitedApp(app, { sees: new Set(['default', 'asleep']) });
    for (const target of ['unknown', 'asleep', 'hidden']) {
      const response = await some.ask(`POST ${projects}/default/features/homeless/changeProject`, {
        payload: { newProjectId: target },
      });
      expect(outcome(response)).toEqual([404, 'NotFoundError']);
      expect(response.json().message).toBe(`Project '${target}' not found`);
    }
  });

  test('returns 400 if the body has no target project', async () => {
    await create.feature('undirected');
    for (const target of [undefined, 7, null]) {
      const response = await move('default', 'undirected', target);
      expect(outcome(response)).toEqual([400, 'BadDataError']);
      expect(response.json().details).toMatchObject([{ path: '/body/newProjectId' }]);
    }
  });
});

test('moving requires MOVE_FEATURE_TOGGLE in both projects', async () => {
  await create.project('guarded');
  await create.feature('guarded-feature');
  const path = `${projects}/default/features/guarded-feature/changeProject`;
  for (const lacking of ['default', 'guarded']) {
    const limited = limitedApp(app, {
      may: (permission, scope) =>
        permission === 'none' || (permission === 'MOVE_FEATURE_TOGGLE' && scope !== lacking),
    });
    const response = await limited.ask(`POST ${path}`, { payload: { newProjectId: 'guarded' } });
    expect(outcome(response)).toEqual([403, 'NoAccessError']);
    expect(response.json().message).toContain('MOVE_FEATURE_TOGGLE');
  }
  const enough = limitedApp(app, {
    may: (permission) => ['none', 'MOVE_FEATURE_TOGGLE'].includes(permission),
  });
  const response = await enough.ask(`POST ${path}`, { payload: { newProjectId: 'guarded' } });
  expect(response.statusCode).toBe(200);
});
