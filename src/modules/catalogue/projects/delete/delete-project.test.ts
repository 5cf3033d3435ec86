import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import { recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';

let app: TestApp;
let create: ReturnType<typeof make>;
beforeAll(async () => {
  app = await testApp();
  create = make(app.ask);
});

const projects = '/api/admin/projects';

const overview = async (id: string) => (await app.ask(`GET ${projects}/${id}/overview`)).json();
const archiveFeature = (project: string, name: string) =>
  app.ask(`DELETE ${projects}/${project}/features/${name}`);
const remove = (id: string) => app.ask(`DELETE ${projects}/${id}`);

describe('deleting a project', () => {
  test('removes the project and its environments, archived or not', async () => {
    await create.project('doomed');
    await create.project('doomed-too');
    await app.ask(`POST ${projects}/archive/doomed-too`);
    for (const id of ['doomed', 'doomed-too']) {
      const response = await remove(id);
      expect([response.statusCode, response.body]).toEqual([200, '']);
      expect(await recordedBy(app.db, response)).toMatchObject([{ type: 'project-deleted' }]);
      expect((await remove(id)).statusCode).toBe(404);
    }
    await create.project('doomed');
  });

  test('records the project with its environments and default strategies', async () => {
    await create.project('remembered', { description: 'Kept', featureNaming: { pattern: 'a' } });
    const place = `${projects}/remembered/environments/production/default-strategy`;
    const payload = { name: 'flexibleRollout', parameters: { rollout: '7' } };
    await app.ask(`POST ${place}`, { payload });
    const { id, name, description, mode, ...rest } = await overview('remembered');
    const { defaultStickiness, featureLimit, linkTemplates } = rest;
    const { autoStale, asksBeforeProduction, budget, createdAt } = rest;
    const response = await remove('remembered');
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'project-deleted',
        project: 'remembered',
        environment: null,
        data: null,
        preData: {
          ...{ id, name, description, mode },
          ...{ defaultStickiness, featureLimit, linkTemplates },
          featureNaming: { pattern: 'a' },
          ...{ autoStale, asksBeforeProduction, budget, createdAt },
          environments: ['development', 'production'],
          defaultStrategies: {
            production: {
              name: 'flexibleRollout',
              disabled: false,
              sortOrder: 0,
              constraints: [],
              variants: [],
              parameters: { rollout: '7' },
              segments: [],
            },
          },
        },
      },
    ]);
  });

  test('deletes its archived features and its segments and records each', async () => {
    await create.project('filled');
    const tags = [{ type: 'simple', value: 'blue' }];
    const segment = await create.segment('filled-segment', { project: 'filled' });
    await create.feature('filled-b', { project: 'filled', tags });
    await create.feature('filled-a', { project: 'filled' });
    await create.strategy('filled-b', { segments: [segment.id] }, { project: 'filled' });
    await create.switchedOn('filled-b', { project: 'filled' });
    await create.dependency('filled-a', 'filled-b', { project: 'filled' });
    await archiveFeature('filled', 'filled-a');
    await archiveFeature('filled', 'filled-b');

    const response = await remove('filled');
    expect(response.statusCode, response.body).toBe(200);
    const project = 'filled';
    expect(await recordedAboutFeatures(app.db, response)).toMatchObject([
      {
        type: 'feature-deleted',
        project,
        featureName: 'filled-a',
        data: null,
        preData: { name: 'filled-a', archived: true },
      },
      {
        type: 'feature-deleted',
        project,
        featureName: 'filled-b',
        preData: { name: 'filled-b' },
        tags,
      },
      {
        type: 'segment-deleted',
        project,
        featureName: null,
        data: null,
        preData: { name: 'filled-segment' },
      },
      { type: 'project-deleted', project, featureName: null },
    ]);
    for (const name of ['filled-a', 'filled-b']) await create.feature(name);
  });

  test.each([
    ['deleted', 'DELETE', ''],
    ['archived', 'POST', '/archive'],
  ] as const)(
    'while the project has active features, it cannot be %s and the error names some of them',
    async (fate, method, path) => {
      const id = `alive-${fate}`;
      const place = `${method} ${projects}${path}/${id}` as const;
      await create.project(id);
      for (const letter of 'gfedcba') await create.feature(`${id}-${letter}`, { project: id });
      const before = await countEvents(app.db);
      const refused = await app.ask(place);
      expect([refused.statusCode, refused.json().name]).toEqual([403, 'InvalidOperationError']);
      const named = [...'abcde'].map((letter) => `'${id}-${letter}'`).join(', ');
      expect(refused.json().message).toBe(
        `The project '${id}' cannot be ${fate} while it has 7 active features: ${named} and 2 more`,
      );
      expect(await countEvents(app.db)).toBe(before);

      for (const letter of 'bcdefg') await archiveFeature(id, `${id}-${letter}`);
      expect((await app.ask(place)).json().message).toBe(
        `The project '${id}' cannot be ${fate} while it has an active feature: '${id}-a'`,
      );
      await archiveFeature(id, `${id}-a`);
      expect((await app.ask(place)).statusCode).toBe(200);
    },
  );
});
