import { Ajv } from 'ajv';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { FeatureSummarySchema, FoundFeatureSchema } from '../feature-schema.ts';

const now = '2026-03-01T12:00:00.000Z';
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: () => new Date(now) });
});

const admin = '/api/admin';
const list = async (project: string, server = app) => {
  const response = await server.ask(`GET ${admin}/projects/${project}/features`);
  expect([response.statusCode, response.json().version]).toEqual([200, 2]);
  return response.json().features;
};

const bare = (name: string, project: string) => ({
  name,
  type: 'release',
  description: null,
  project,
  archived: false,
  archivedAt: null,
  lastSeenAt: null,
  enabled: false,
  stale: false,
  favorite: false,
  impressionData: false,
  createdAt: now,
  createdBy: {
    id: testActor.id,
    name: testActor.name,
    imageUrl: `http://localhost:4242/avatars/${testActor.id}.svg`,
  },
  tags: [],
});
const bareIn = (featureName: string, name: string, sortOrder: number) => ({
  name,
  featureName,
  environment: name,
  type: name,
  enabled: false,
  sortOrder,
  variantCount: 0,
  hasStrategies: false,
  hasEnabledStrategies: false,
  lastSeenAt: null,
});

describe('the feature list of a project', () => {
  test('is empty for a project without features', async () => {
    await make(app.ask).project('empty');
    expect(await list('empty')).toEqual([]);
    expect((await app.ask(`GET ${admin}/projects/nosuch/features`)).statusCode).toBe(404);
  });

  test('contains only active features of the project', async () => {
    await make(app.ask).project('several');
    for (const name of ['s.b', 's_a', "s'c", 's-archived']) {
      await make(app.ask).feature(name, { project: 'several' });
    }
    await app.ask(`DELETE ${admin}/projects/several/features/s-archived`);
    await make(app.ask).feature('s-elsewhere');
    const names = (await list('several')).map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(["s'c", 's.b', 's_a']);
  });

  test('returns exactly the expected fields for a feature without configuration', async () => {
    await make(app.ask).project('bare');
    await make(app.ask).feature('barest', { project: 'bare' });
    expect(await list('bare')).toEqual([
      {
        ...bare('barest', 'bare'),
        environments: [bareIn('barest', 'development', 100), bareIn('barest', 'production', 200)],
      },
    ]);
  });

  test('returns the configuration of a feature in each environment of its project', async () => {
    await make(app.ask).project('rich', { environments: ['development', 'production'] });
    const place = { project: 'rich' };
    const tags = [
      { type: 'simple', value: 'zz "quoted"' },
      { type: 'simple', value: 'aa' },
    ];
    await make(app.ask).feature('richest', {
      ...place,
      tags,
      description: 'A "quoted" text\nof two lines, \u0001 and ü',
      type: 'experiment',
      stale: true,
      impressionData: true,
    });
    await make(app.ask).feature('poorest', place);
    await make(app.ask).strategy('richest', { disabled: true }, place);
    await make(app.ask).strategy('richest', {}, { ...place, environment: 'production' });
    await make(app.ask).strategy(
      'richest',
      { disabled: true },
      { ...place, environment: 'production' },
    );
    const variant = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' };
    await make(app.ask).variants('richest', [variant], { ...place, environment: 'production' });
    await app.ask(`POST ${admin}/projects/rich/features/richest/environments/production/on`);
    await app.ask(`POST ${admin}/projects/rich/features/richest/favorites`);
    await app.db
      .insertInto('feature_environments')
      .values([
        {
          feature_name: 'richest',
          environment: 'development',
          last_seen_at: new Date('2026-02-01T00:00:00.007Z'),
        },
      ])
      .execute();
    await app.db
      .updateTable('feature_environments')
      .set({ last_seen_at: new Date('2026-02-02T00:00:00.010Z') })
      .where('feature_name', '=', 'richest')
      .where('environment', '=', 'production')
      .execute();

    const [poor, rich] = await list('rich');
    expect(poor).toMatchObject({ name: 'poorest', tags: [], favorite: false });
    expect(rich).toEqual({
      ...bare('richest', 'rich'),
      description: 'A "quoted" text\nof two lines, \u0001 and ü',
      type: 'experiment',
      stale: true,
      impressionData: true,
      enabled: true,
      favorite: true,
      lastSeenAt: '2026-02-02T00:00:00.010Z',
      tags: [...tags].reverse(),
      environments: [
        {
          ...bareIn('richest', 'development', 100),
          hasStrategies: true,
          lastSeenAt: '2026-02-01T00:00:00.007Z',
        },
        {
          ...bareIn('richest', 'production', 200),
          enabled: true,
          variantCount: 1,
          hasStrategies: true,
          hasEnabledStrategies: true,
          lastSeenAt: '2026-02-02T00:00:00.010Z',
        },
      ],
    });

    const other = limitedApp(app, { id: 77 });
    expect((await list('rich', other))[1]).toMatchObject({ name: 'richest', favorite: false });

    const whole = (await app.ask(`GET ${admin}/projects/rich/features/richest`)).json();
    for (const [index, environment] of rich.environments.entries()) {
      expect(whole.environments[index]).toMatchObject(environment);
    }
    const { environments, ...summary } = rich;
    expect(whole).toMatchObject(summary);
    expect(whole.variants).toMatchObject([variant]);
  });
});

/** Lists are rendered as text without the serializer of the contract, so they are checked against it here. */
describe('the contract of feature lists', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const faultsOf = (schema: object) => {
    const valid = ajv.compile({ ...schema, additionalProperties: false });
    return (feature: unknown) => (valid(feature) ? [] : valid.errors);
  };

  test.each([
    ['projects/rich/features', FeatureSummarySchema],
    ['archive/features', FeatureSummarySchema],
    ['archive/features/several', FeatureSummarySchema],
    ['search/features', FoundFeatureSchema],
    ['search/features?archived=IS:true', FoundFeatureSchema],
  ])('matches the response of %s', async (path, schema) => {
    const { features } = (await app.ask(`GET ${admin}/${path}`)).json();
    expect(features.length).toBeGreaterThan(0);
    const check = faultsOf(schema);
    for (const feature of features) expect(check(feature)).toEqual([]);
  });
});
