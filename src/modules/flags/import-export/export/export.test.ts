import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';

let app: TestApp;
let segment: { id: number };

const exported = (payload: object, { ask } = app) =>
  ask('POST /api/admin/features-batch/export', { payload });

const document = async (payload: object) => {
  const response = await exported(payload);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};

beforeAll(async () => {
  app = await testApp();
  const { project, feature, strategy, variants, dependency, ...makes } = make(app.ask);
  await project('shop');
  await project('dev-only', { environments: ['development'] });
  await app.ask('POST /api/admin/tag-types', { payload: { name: 'team', color: '#6C65E5' } });
  await app.ask('POST /api/admin/context', {
    payload: { name: 'companyId', stickiness: true, legalValues: [{ value: 'acme' }] },
  });
  await app.ask('POST /api/admin/context', { payload: { name: 'unused' } });
  segment = await makes.segment('beta-testers');
  await feature('parent', { project: 'shop' });
  await feature('rich', {
    project: 'shop',
    type: 'experiment',
    description: 'All of it',
    impressionData: true,
    tags: [
      { type: 'team', value: 'checkout' },
      { type: 'simple', value: 'frontend' },
    ],
  });
  const inProduction = { project: 'shop', environment: 'production' };
  await strategy('rich', { title: 'second', sortOrder: 5 }, inProduction);
  await strategy(
    'rich',
    {
      sortOrder: 2,
      parameters: { rollout: 50, stickiness: 'companyId', groupId: 'g' },
      constraints: [{ contextName: 'appName', operator: 'IN', values: ['a'] }],
      segments: [segment.id],
      variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'sessionId' }],
    },
    inProduction,
  );
  await strategy('rich', { title: 'elsewhere' }, { project: 'shop' });
  await variants(
    'rich',
    [{ name: 'v', weight: 1000, overrides: [{ contextName: 'userId', values: ['7'] }] }],
    inProduction,
  );
  await app.ask('POST /api/admin/projects/shop/features/rich/environments/production/on');
  await dependency('rich', 'parent', { project: 'shop', enabled: false });
  await feature('here');
  await feature('narrow', { project: 'dev-only' });
  await feature('gone');
  await app.ask('DELETE /api/admin/projects/default/features/gone');
});

describe('an export', () => {
  test('contains the features with everything in one environment and nothing from others', async () => {
    const { features, featureStrategies, ...rest } = await document({
      environment: 'production',
      features: ['rich', 'parent'],
    });

    expect(features).toEqual([
      expect.objectContaining({ name: 'parent' }),
      {
        name: 'rich',
        type: 'experiment',
        description: 'All of it',
        project: 'shop',
        stale: false,
        impressionData: true,
        archived: false,
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      },
    ]);
    expect(featureStrategies).toEqual([
      {
        id: expect.any(String),
        name: 'flexibleRollout',
        featureName: 'rich',
        environment: 'production',
        disabled: false,
        sortOrder: 2,
        parameters: { rollout: '50', stickiness: 'companyId', groupId: 'g' },
        constraints: [
          {
            contextName: 'appName',
            operator: 'IN',
            values: ['a'],
            inverted: false,
            caseInsensitive: false,
          },
        ],
        variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'sessionId' }],
        segments: [segment.id],
      },
      expect.objectContaining({ title: 'second', sortOrder: 5 }),
    ]);
    expect(rest).toEqual({
      featureEnvironments: [
        {
          name: 'parent',
          featureName: 'parent',
          environment: 'production',
          enabled: false,
          variants: [],
        },
        {
          name: 'rich',
          featureName: 'rich',
          environment: 'production',
          enabled: true,
          variants: [
            {
              name: 'v',
              weight: 1000,
              weightType: 'variable',
              stickiness: 'default',
              overrides: [{ contextName: 'userId', values: ['7'] }],
            },
          ],
        },
      ],
      contextFields: [
        expect.objectContaining({ name: 'userId' }),
        expect.objectContaining({ name: 'appName' }),
        expect.objectContaining({ name: 'sessionId' }),
        {
          name: 'companyId',
          description: null,
          stickiness: true,
          sortOrder: 10,
          legalValues: [{ value: 'acme' }],
        },
      ],
      featureTags: [
        { featureName: 'rich', tagType: 'simple', tagValue: 'frontend' },
        { featureName: 'rich', tagType: 'team', tagValue: 'checkout' },
      ],
      segments: [{ id: segment.id, name: 'beta-testers' }],
      tagTypes: [
        expect.objectContaining({ name: 'simple' }),
        { name: 'team', description: '', color: '#6C65E5' },
      ],
      dependencies: [
        {
          feature: 'rich',
          dependencies: [{ feature: 'parent', enabled: false, variants: [] }],
        },
      ],
      featureMetadata: [],
    });
  });

  test.each([
    ['a project', { project: 'shop' }, ['parent', 'rich']],
    ['a tag value', { tag: 'checkout' }, ['rich']],
    ['a tag type and value', { tag: 'team:checkout' }, ['rich']],
    ['a tag without features', { tag: 'team:frontend' }, []],
    ['names rather than a tag', { features: ['here'], tag: 'checkout' }, ['here']],
    ['a tag rather than a project', { tag: 'checkout', project: 'default' }, ['rich']],
    [
      'an empty list, which means everything',
      { features: [] },
      ['here', 'narrow', 'parent', 'rich'],
    ],
    ['a project with an empty list', { features: [], project: 'default' }, ['here']],
  ])('selects features by %s', async (_by, selection, names) => {
    const { features } = await document({ environment: 'production', ...selection });
    expect(features.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  test('contains no state of a feature whose project does not have the environment', async () => {
    const { featureEnvironments } = await document({
      environment: 'production',
      project: 'dev-only',
    });
    expect(featureEnvironments).toEqual([]);
  });

  test('is an attachment if a download is requested', async () => {
    const payload = { environment: 'production', project: 'shop' };
    const shown = await exported({ ...payload, downloadFile: false });
    const saved = await exported({ ...payload, downloadFile: true });
    expect(shown.headers['content-disposition']).toBeUndefined();
    expect(saved.headers['content-disposition']).toMatch(/^attachment; filename=".+\.json"$/);
    expect(saved.json()).toEqual(shown.json());
  });

  test('is recorded with its content', async () => {
    const response = await exported({ environment: 'production', project: 'shop' });
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'features-exported',
        project: 'shop',
        environment: 'production',
        data: {
          environment: 'production',
          features: ['parent', 'rich'],
          featureCount: 2,
          strategyCount: 2,
          tagCount: 2,
          contextFieldCount: 4,
          segmentCount: 1,
          dependencyCount: 1,
        },
        preData: null,
      },
    ]);
  });

  test('of several projects is recorded without a project', async () => {
    const response = await exported({ environment: 'production', features: ['rich', 'here'] });
    expect(await recordedBy(app.db, response)).toMatchObject([{ project: null }]);
  });
});

describe('an export is rejected', () => {
  test('if the request selects nothing', async () => {
    const response = await exported({ environment: 'production' });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      { path: '/body', message: '/body must name features, a tag, or a project' },
    ]);
  });

  test('with all unknown names together, and records nothing', async () => {
    const before = await countEvents(app.db);
    const response = await exported({
      environment: 'nowhere',
      features: ['rich', 'unknown', 'gone'],
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      { path: '/body/environment', message: "Environment 'nowhere' not found" },
      { path: '/body/features/1', message: "Feature 'unknown' not found" },
      { path: '/body/features/2', message: "Feature 'gone' not found" },
    ]);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('for an unknown project', async () => {
    const response = await exported({ environment: 'production', project: 'nowhere' });
    expect(response.json().details).toEqual([
      { path: '/body/project', message: "Project 'nowhere' not found" },
    ]);
  });
});

describe('an export by a user who sees one project', () => {
  test('contains only that project', async () => {
    const limited = limitedApp(app, {
      may: (permission) => permission === 'none',
      sees: new Set(['default']),
    });
    const all = await exported({ environment: 'production', features: [] }, limited);
    expect(all.json().features).toMatchObject([{ name: 'here' }]);

    const tagged = await exported({ environment: 'production', tag: 'checkout' }, limited);
    expect(tagged.json().features).toEqual([]);

    const named = await exported({ environment: 'production', features: ['rich'] }, limited);
    expect([named.statusCode, named.json().details]).toEqual([
      400,
      [{ path: '/body/features/0', message: "Feature 'rich' not found" }],
    ]);

    const foreign = await exported({ environment: 'production', project: 'shop' }, limited);
    expect([foreign.statusCode, foreign.json().details]).toEqual([
      400,
      [{ path: '/body/project', message: "Project 'shop' not found" }],
    ]);
  });
});
