import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { recordedAboutFeatures } from '../../../../test/support/recorded-features.ts';

let on: TestApp;
let to: ReturnType<typeof make>;
beforeAll(async () => {
  on = await testApp();
  to = make(on.ask);
});

const projects = '/api/admin/projects';

const overview = async (id: string) => (await on.ask(`GET ${projects}/${id}/overview`)).json();
const archiveFeature = (project: string, name: string) =>
  on.ask(`DELETE ${projects}/${project}/features/${name}`);
const remove = (id: string) => on.ask(`DELETE ${projects}/${id}`);

describe('deleting a project', () => {
  test('takes it and its environments away, archived or not', async () => {
    await to.project('doomed');
    await to.project('doomed-too');
    await on.ask(`POST ${projects}/archive/doomed-too`);
    for (const id of ['doomed', 'doomed-too']) {
      const response = await remove(id);
      expect([response.statusCode, response.body]).toEqual([200, '']);
      expect(await recordedBy(on.db, response)).toMatchObject([{ type: 'project-deleted' }]);
      expect((await remove(id)).statusCode).toBe(404);
    }
    await to.project('doomed');
  });

  test('leaves in the log what there was', async () => {
    await to.project('remembered', { description: 'Kept', featureNaming: { pattern: 'a' } });
    const place = `${projects}/remembered/environments/production/default-strategy`;
    const payload = { name: 'flexibleRollout', parameters: { rollout: '7' } };
    await on.ask(`POST ${place}`, { payload });
    const { id, name, description, mode, ...rest } = await overview('remembered');
    const { defaultStickiness, featureLimit, linkTemplates } = rest;
    const { autoStale, budget, createdAt } = rest;
    const response = await remove('remembered');
    expect(await recordedBy(on.db, response)).toEqual([
      {
        type: 'project-deleted',
        project: 'remembered',
        environment: null,
        data: null,
        preData: {
          ...{ id, name, description, mode },
          ...{ defaultStickiness, featureLimit, linkTemplates },
          featureNaming: { pattern: 'a' },
          ...{ autoStale, budget, createdAt },
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

  test('takes archived features and segments with it, and tells of each', async () => {
    await to.project('filled');
    const tags = [{ type: 'simple', value: 'blue' }];
    const segment = await to.segment('filled-segment', { project: 'filled' });
    await to.feature('filled-b', { project: 'filled', tags });
    await to.feature('filled-a', { project: 'filled' });
    await to.strategy('filled-b', { segments: [segment.id] }, { project: 'filled' });
    await to.switchedOn('filled-b', { project: 'filled' });
    await to.dependency('filled-a', 'filled-b', { project: 'filled' });
    await archiveFeature('filled', 'filled-a');
    await archiveFeature('filled', 'filled-b');

    const response = await remove('filled');
    expect(response.statusCode, response.body).toBe(200);
    const project = 'filled';
    expect(await recordedAboutFeatures(on.db, response)).toMatchObject([
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
    for (const name of ['filled-a', 'filled-b']) await to.feature(name);
  });

  test.each([
    ['deleted', 'DELETE', ''],
    ['archived', 'POST', '/archive'],
  ] as const)(
    'that has living features is not %s, and names some of them',
    async (fate, method, path) => {
      const id = `alive-${fate}`;
      const place = `${method} ${projects}${path}/${id}` as const;
      await to.project(id);
      for (const letter of 'gfedcba') await to.feature(`${id}-${letter}`, { project: id });
      const before = await countEvents(on.db);
      const refused = await on.ask(place);
      expect([refused.statusCode, refused.json().name]).toEqual([403, 'InvalidOperationError']);
      const named = [...'abcde'].map((letter) => `'${id}-${letter}'`).join(', ');
      expect(refused.json().message).toBe(
        `The project '${id}' cannot be ${fate} while it has 7 living features: ${named} and 2 more`,
      );
      expect(await countEvents(on.db)).toBe(before);

      for (const letter of 'bcdefg') await archiveFeature(id, `${id}-${letter}`);
      expect((await on.ask(place)).json().message).toBe(
        `The project '${id}' cannot be ${fate} while it has a living feature: '${id}-a'`,
      );
      await archiveFeature(id, `${id}-a`);
      expect((await on.ask(place)).statusCode).toBe(200);
    },
  );
});
