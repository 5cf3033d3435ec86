import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { documentOf, sent, strategyOf } from '../../../../../test/support/import-export.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
  const { project, feature, segment, dependency } = make(app.ask);
  await project('other');
  await project('named', { featureNaming: { pattern: 'ui-.*', example: 'ui-menu' } });
  await project('small', { featureLimit: 2 });
  await feature('tiny', { project: 'small' });
  await feature('elsewhere', { project: 'other' });
  await feature('archived');
  await app.ask('DELETE /api/admin/projects/default/features/archived');
  await segment('foreign', { project: 'other' });
  await app.ask('POST /api/admin/strategies', {
    payload: { name: 'custom', parameters: [{ name: 'city', type: 'string', required: true }] },
  });
  await app.ask('POST /api/admin/context', {
    payload: { name: 'tier', legalValues: [{ value: 'gold' }, { value: 'silver' }] },
  });
  await feature('parent');
  await feature('child');
  await dependency('child', 'parent');
});

describe('an import is rejected as a whole', () => {
  const withConstraint = (value: string) =>
    documentOf('lawless', {
      featureStrategies: [
        strategyOf('lawless', {
          constraints: [{ contextName: 'tier', operator: 'IN', values: ['gold', value] }],
        }),
      ],
    });
  const depending = (child: string, parent: string) =>
    documentOf(child, {
      dependencies: [{ feature: child, dependencies: [{ feature: parent }] }],
    });

  const refused: readonly [string, object, { project?: string }, RegExp, string[]][] = [
    [
      'a feature with the same name in another project',
      documentOf('elsewhere'),
      {},
      /^Names already used in other projects/,
      ["elsewhere (in 'other')"],
    ],
    [
      'a name that does not match the naming pattern',
      documentOf('menu'),
      { project: 'named' },
      /naming pattern 'ui-\.\*'; example: 'ui-menu'/,
      ['menu'],
    ],
    [
      'more features than the limit of the project',
      { features: [{ name: 'one' }, { name: 'two' }], featureStrategies: [] },
      { project: 'small' },
      /has 1 of 2 features/,
      ['one', 'two'],
    ],
    [
      'an unknown feature type',
      { features: [{ name: 'typed', type: 'unheard-of' }], featureStrategies: [] },
      {},
      /feature types/,
      ["unheard-of (of 'typed')"],
    ],
    [
      'an unknown strategy type',
      documentOf('strange', { featureStrategies: [strategyOf('strange', { name: 'unheard-of' })] }),
      {},
      /^Missing strategy types/,
      ['unheard-of'],
    ],
    [
      'a missing parameter of a custom strategy type',
      documentOf('lacking', { featureStrategies: [strategyOf('lacking', { name: 'custom' })] }),
      {},
      /parameters/,
      [expect.stringMatching(/^lacking: custom .*city.* missing/) as unknown as string],
    ],
    [
      'segments that are unknown or belong to another project',
      documentOf('segmented', {
        featureStrategies: [strategyOf('segmented', { segments: [1, 2] })],
        segments: [
          { id: 1, name: 'foreign' },
          { id: 2, name: 'unheard-of' },
        ],
      }),
      {},
      /^Missing segments/,
      ['foreign', 'unheard-of'],
    ],
    [
      'values that are not legal',
      withConstraint('lead'),
      {},
      /not allowed by their context fields/,
      [
        "lawless: 'lead' is not a legal value of the context field 'tier'. Legal values are gold, silver",
      ],
    ],
    [
      'an unknown tag type',
      documentOf('labelled', {
        featureTags: [{ featureName: 'labelled', tagType: 'unheard-of', tagValue: 'value' }],
      }),
      {},
      /tag types/,
      ['unheard-of'],
    ],
    [
      'a parent that itself depends on another feature',
      depending('grandchild', 'child'),
      {},
      /parent of its own/,
      ['grandchild on child'],
    ],
    [
      'a child that other features depend on',
      {
        ...depending('parent', 'grandparent'),
        features: [{ name: 'parent' }, { name: 'grandparent' }],
      },
      {},
      /parent of its own/,
      ['parent on grandparent'],
    ],
    [
      'a chain of dependencies in the document',
      {
        features: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
        featureStrategies: [],
        dependencies: [
          { feature: 'a', dependencies: [{ feature: 'b' }] },
          { feature: 'b', dependencies: [{ feature: 'c' }] },
        ],
      },
      {},
      /parent of its own/,
      ['a on b', 'b on c'],
    ],
  ];

  test.each(refused)(
    'with the error of the validation: %s',
    async (_what, data, where, message, affectedItems) => {
      const before = await countEvents(app.db);
      const validation = await sent(app, 'validate', data, where);
      expect(validation.statusCode).toBe(200);
      expect(validation.json().errors).toEqual([
        { message: expect.stringMatching(message), affectedItems },
      ]);

      const response = await sent(app, 'import', data, where);
      expect([response.statusCode, response.json().name]).toEqual([400, 'BadDataError']);
      expect(response.json().details).toEqual([
        { path: '/body/data', message: expect.stringMatching(message) },
      ]);
      expect(await countEvents(app.db)).toBe(before);
    },
  );

  test('with all errors together', async () => {
    const data = {
      features: [{ name: 'elsewhere' }, { name: 'fine', type: 'unheard-of' }],
      featureStrategies: [strategyOf('fine', { name: 'unheard-of' })],
    };
    const response = await sent(app, 'import', data);
    expect(response.json().details).toHaveLength(3);
    expect((await sent(app, 'validate', data)).json().errors).toHaveLength(3);
  });

  test('if only the last feature is invalid, and leaves nothing behind', async () => {
    const before = await countEvents(app.db);
    const names = Array.from({ length: 20 }, (_, index) => `all-or-none-${index}`);
    const response = await sent(app, 'import', {
      features: [...names, 'zz-last'].map((name) => ({ name })),
      featureStrategies: [...names, 'zz-last'].map((name) =>
        strategyOf(name, name === 'zz-last' ? { name: 'unheard-of' } : {}),
      ),
      contextFields: [{ name: 'all-or-none' }],
      tagTypes: [{ name: 'all-or-none' }],
    });
    expect(response.statusCode).toBe(400);
    expect(await countEvents(app.db)).toBe(before);
    const left = await app.db
      .selectFrom('features')
      .where('name', 'like', 'all-or-none%')
      .select('name')
      .execute();
    expect(left).toEqual([]);
    expect((await app.ask('GET /api/admin/context/all-or-none')).statusCode).toBe(404);
    expect((await app.ask('GET /api/admin/tag-types/all-or-none')).statusCode).toBe(404);
  });

  test('except for values that are no longer legal in a strategy that the feature already has', async () => {
    await make(app.ask).feature('grown-old');
    const document = documentOf('grown-old', {
      featureStrategies: [
        strategyOf('grown-old', {
          constraints: [{ contextName: 'plan', operator: 'IN', values: ['free'] }],
        }),
      ],
    });
    expect((await sent(app, 'import', document)).statusCode).toBe(200);
    await app.ask('POST /api/admin/context', {
      payload: { name: 'plan', legalValues: [{ value: 'paid' }] },
    });
    const [kept] = document.featureStrategies;
    const more = { ...document, featureStrategies: [kept, strategyOf('grown-old')] };
    expect((await sent(app, 'validate', more)).json().errors).toEqual([]);
    expect((await sent(app, 'import', more)).statusCode).toBe(200);
  });
});

describe('the validation of an import', () => {
  test('warns about custom strategy types and omitted dependencies', async () => {
    const data = {
      features: [{ name: 'warned' }],
      featureStrategies: [strategyOf('warned', { name: 'custom', parameters: { city: 'Oslo' } })],
      dependencies: [
        { feature: 'warned', dependencies: [{ feature: 'nowhere' }, { feature: 'archived' }] },
        { feature: 'stranger', dependencies: [{ feature: 'warned' }] },
      ],
    };
    const { errors, warnings, plan } = (await sent(app, 'validate', data)).json();
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      {
        message: expect.stringContaining('Dependencies skipped'),
        affectedItems: ['warned on nowhere', 'warned on archived', 'stranger on warned'],
      },
      { message: expect.stringContaining('Custom strategy types'), affectedItems: ['custom'] },
    ]);
    expect(plan.dependenciesSet).toEqual([]);
    expect((await sent(app, 'import', data)).statusCode).toBe(200);
  });

  test('warns about archived features, which an import skips', async () => {
    const names = ['archived', 'beside-archived'];
    const data = {
      features: names.map((name) => ({ name, description: 'imported' })),
      featureStrategies: names.map((name) => strategyOf(name)),
      featureEnvironments: names.map((featureName) => ({ featureName, enabled: true })),
      featureTags: names.map((featureName) => ({ featureName, tagType: 'simple', tagValue: 'x1' })),
      dependencies: [{ feature: 'beside-archived', dependencies: [{ feature: 'archived' }] }],
    };
    const { errors, warnings, plan } = (await sent(app, 'validate', data)).json();
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      { message: expect.any(String), affectedItems: ['beside-archived on archived'] },
      { message: 'Archived features are skipped', affectedItems: ['archived'] },
    ]);
    expect(plan).toMatchObject({
      featuresCreated: ['beside-archived'],
      featuresUpdated: [],
      strategiesAdded: [{ featureName: 'beside-archived' }],
      dependenciesSet: [],
    });
    const before = await countEvents(app.db);
    expect((await sent(app, 'import', data)).statusCode).toBe(200);
    const recorded = await app.db
      .selectFrom('events')
      .where('id', '>', before)
      .where('feature_name', '=', 'archived')
      .select('type')
      .execute();
    expect(recorded).toEqual([]);
  });

  test('warns about existing features, changed or unchanged', async () => {
    const data = documentOf('beside-archived');
    const { warnings } = (await sent(app, 'validate', data)).json();
    expect(warnings).toContainEqual({
      message: 'Existing features are updated',
      affectedItems: ['beside-archived'],
    });
    expect((await sent(app, 'import', data)).statusCode).toBe(200);
    expect((await sent(app, 'validate', data)).json().warnings).toEqual([
      {
        message: 'Unchanged features',
        affectedItems: ['beside-archived'],
      },
    ]);
  });

  test('changes nothing', async () => {
    const before = await countEvents(app.db);
    await sent(app, 'validate', documentOf('unchanged'));
    expect(await countEvents(app.db)).toBe(before);
    const response = await app.ask('GET /api/admin/projects/default/features/unchanged');
    expect(response.statusCode).toBe(404);
  });
});

describe('the target of an import', () => {
  test.each(['import', 'validate'] as const)(
    'returns errors from %s for an unknown project or environment',
    async (operation) => {
      const unknown = await sent(app, operation, documentOf('x'), { project: 'nowhere' });
      expect([unknown.statusCode, unknown.json().name]).toEqual([404, 'NotFoundError']);

      const noEnvironment = await sent(app, operation, documentOf('x'), { environment: 'nowhere' });
      expect([noEnvironment.statusCode, noEnvironment.json().details]).toEqual([
        400,
        [
          {
            path: '/body/environment',
            message: "The project 'default' has no environment 'nowhere'",
          },
        ],
      ]);
    },
  );

  test('returns 404 for an invisible project', async () => {
    const through = limitedApp(app, { sees: new Set(['other']) });
    for (const operation of ['import', 'validate'] as const) {
      const response = await sent(through, operation, documentOf('x'));
      expect(response.statusCode).toBe(404);
    }
  });

  test('does not name invisible projects', async () => {
    const through = limitedApp(app, { sees: new Set(['default']) });
    const response = await sent(through, 'validate', documentOf('elsewhere'));
    expect(response.json().errors).toMatchObject([{ affectedItems: ['elsewhere'] }]);
  });
});
