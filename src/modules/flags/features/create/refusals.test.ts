import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { pathsOf } from '../../../../../test/support/faults.ts';
import { featuresOn } from '../../../../../test/support/features.ts';
import { runHook } from '../../../../../test/support/hooks.ts';
import { askedDuring } from '../../../../../test/support/locks.ts';
import { make } from '../../../../../test/support/make.ts';
import { customRole, person } from '../../../../../test/support/people.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';
import { removeEnvironment } from '../../../catalogue/projects/environments/service.ts';

let app: TestApp;
let features: ReturnType<typeof featuresOn>;
let foreign: number;
beforeAll(async () => {
  app = await testApp();
  features = featuresOn(app);
  await app.ask('POST /api/admin/context', {
    payload: { name: 'region', legalValues: [{ value: 'north' }] },
  });
  await make(app.ask).project('closed', { mode: 'private' });
  foreign = (await make(app.ask).segment('foreign', { project: 'closed' })).id;
});

/** Counts everything that a rejected request could have left behind. */
async function traces(): Promise<readonly number[]> {
  const counts = [await countEvents(app.db)];
  for (const table of ['features', 'feature_strategies', 'feature_environments', 'tags'] as const) {
    const rows = app.db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'));
    counts.push(Number((await rows.executeTakeFirstOrThrow()).count));
  }
  return counts;
}

interface Answer {
  readonly statusCode: number;
  readonly json: () => { readonly name: string; readonly message: string };
}

async function refused<A extends Answer>(ask: () => Promise<A>): Promise<A> {
  const before = await traces();
  const response = await ask();
  expect(response.statusCode).toBeGreaterThanOrEqual(400);
  expect(await traces()).toEqual(before);
  return response;
}

const tags = [{ type: 'simple', value: 'never-made' }];
const createIn = (environments: object[], more: object = {}) =>
  refused(() => features.create({ name: 'never', tags, environments, ...more }));

describe('validation errors when creating a complete feature', () => {
  test('are reported together for the body, and nothing is created', async () => {
    const response = await createIn([
      {
        name: 'development',
        strategies: [
          { name: 'default' },
          { name: 'flexibleRollout', parameters: { rollout: 101 } },
          { name: 'default', constraints: [{ contextName: 'a', operator: 'NUM_GT', value: 'x' }] },
        ],
        variants: [{ name: 'a', weight: 400, weightType: 'fix' }],
      },
      {
        name: 'development',
        variants: [
          { name: 'a', weight: 1 },
          { name: 'a', weight: 1 },
        ],
      },
    ]);
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response)).toEqual([
      '/body/environments/1/name',
      '/body/environments/0/strategies/1/parameters/rollout',
      '/body/environments/0/strategies/2/constraints/0/value',
      '/body/environments/0/variants',
      '/body/environments/1/variants/1/name',
    ]);
    expect(response.json().details).toContainEqual({
      path: '/body/environments/1/name',
      message: "/body/environments/1/name 'development' is used twice",
    });
  });

  test('are reported together for errors found in the database, including those of the feature', async () => {
    const response = await createIn(
      [
        { name: 'nowhere', strategies: [{ name: 'default' }, { name: 'nosuch' }] },
        {
          name: 'development',
          strategies: [
            {
              name: 'flexibleRollout',
              constraints: [
                { contextName: 'region', operator: 'IN', values: ['north', 'elsewhere'] },
              ],
              segments: [999_999],
            },
          ],
        },
      ],
      { type: 'nosuch', tags: [{ type: 'nosuch', value: 'tag' }] },
    );
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response)).toEqual([
      '/body/type',
      '/body/tags/0/type',
      '/body/environments/0/name',
      '/body/environments/0/strategies/1/name',
      '/body/environments/1/strategies/0/constraints/0/values/1',
      '/body/environments/1/strategies/0/segments/0',
    ]);
    expect(response.json().details).toContainEqual({
      path: '/body/environments/0/name',
      message: "The project 'default' has no environment 'nowhere'",
    });
  });

  test('include parameters that the strategy type requires', async () => {
    await app.ask('POST /api/admin/strategies', {
      payload: { name: 'demanding', parameters: [{ name: 'n', type: 'number', required: true }] },
    });
    const response = await createIn([
      { name: 'production', strategies: [{ name: 'demanding', parameters: { n: 'x' } }] },
    ]);
    expect(pathsOf(response)).toEqual(['/body/environments/0/strategies/0/parameters/n']);
  });

  test('include an environment that only other projects have', async () => {
    await make(app.ask).environment('elsewhere');
    await make(app.ask).project('having-it');
    const response = await createIn([{ name: 'elsewhere', enabled: true }]);
    expect([response.statusCode, pathsOf(response)]).toEqual([400, ['/body/environments/0/name']]);
  });

  test.each<[string, object, string]>([
    ['a missing name', { enabled: true }, '/name'],
    ['an invalid enabled state', { name: 'development', enabled: 'yes' }, '/enabled'],
    ['an invalid strategy', { name: 'development', strategies: [{}] }, '/strategies/0/name'],
    [
      'too many strategies',
      { name: 'development', strategies: Array(31).fill({ name: 'default' }) },
      '/strategies',
    ],
    [
      'an invalid variant',
      { name: 'development', variants: [{ name: 'a' }] },
      '/variants/0/weight',
    ],
  ])('include %s of an environment', async (_what, beginning, path) => {
    const response = await createIn([beginning]);
    expect([response.statusCode, pathsOf(response)]).toEqual([
      400,
      [`/body/environments/0${path}`],
    ]);
  });

  test('a name in use, the naming pattern and the feature limit prevent everything from being created', async () => {
    const environments = [
      { name: 'development', enabled: true, strategies: [{ name: 'default' }] },
    ];
    await make(app.ask).feature('taken');
    expect((await createIn(environments, { name: 'taken' })).statusCode).toBe(409);
    await make(app.ask).project('patterned', { featureNaming: { pattern: 'x-.+' } });
    const response = await refused(() => features.create({ name: 'y', environments }, 'patterned'));
    expect([response.statusCode, response.json().name]).toEqual([400, 'PatternError']);
    await make(app.ask).project('full', { featureLimit: 1 });
    const into = (name: string) => features.create({ name, environments }, 'full');
    expect((await into('first-of-full')).statusCode).toBe(201);
    expect((await refused(() => into('second-of-full'))).json().name).toBe('InvalidOperationError');
  });
});

describe('creating an enabled feature', () => {
  test('is rejected if thirty disabled strategies leave no room for the default strategy', async () => {
    const strategies = Array(30).fill({ name: 'default', disabled: true });
    const response = await createIn([{ name: 'development', enabled: true, strategies }]);
    expect([response.statusCode, response.json().message]).toEqual([
      403,
      "The feature 'never' has 30 strategies in the environment 'development': at most 30 are allowed",
    ]);
  });

  test('is rejected if the default strategy uses a segment that is no longer available', async () => {
    await make(app.ask).project('losing');
    const { id } = await make(app.ask).segment('lost');
    await app.ask('POST /api/admin/projects/losing/environments/production/default-strategy', {
      payload: { name: 'flexibleRollout', segments: [id] },
    });
    await app.db.updateTable('segments').set({ project: 'default' }).where('id', '=', id).execute();
    const response = await refused(() =>
      features.create(
        { name: 'never', environments: [{ name: 'production', enabled: true }] },
        'losing',
      ),
    );
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(response.json().message).toContain("'production' cannot be used");
  });
});

describe('permissions when creating a complete feature', () => {
  const parts = {
    strategies: { strategies: [{ name: 'default' }] },
    variants: { variants: [{ name: 'a', weight: 1 }] },
    switching: { enabled: true },
  };
  const strategy = 'CREATE_FEATURE_STRATEGY';
  test.each<[string, object, readonly string[]]>([
    ['strategies', parts.strategies, [strategy]],
    ['variants', parts.variants, ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS']],
    [
      'enabling a feature with a strategy',
      { ...parts.strategies, ...parts.switching },
      [strategy, 'UPDATE_FEATURE_ENVIRONMENT'],
    ],
    [
      'enabling a feature that gets the default strategy',
      parts.switching,
      ['UPDATE_FEATURE_ENVIRONMENT', strategy],
    ],
  ])('are those of the single requests in each environment: %s', async (what, part, needed) => {
    const inDevelopment = async (permissions: readonly string[]) => {
      const role = await customRole(app, 'custom', [
        { name: 'CREATE_FEATURE' },
        ...permissions.map((name) => ({ name, environment: 'development' })),
      ]);
      return featuresOn(await person(app, { roles: { default: role } }));
    };
    const name = `permitted-${what.replaceAll(' ', '-')}`;
    const input = (...environments: string[]) => ({
      name,
      environments: environments.map((each) => ({ name: each, ...part })),
    });
    const refusal = (permission: string | undefined, environment: string) => [
      403,
      `You need the ${permission} permission in the environment '${environment}' to do this`,
    ];
    for (const [index, missing] of needed.entries()) {
      const own = await inDevelopment(needed.filter((_, other) => other !== index));
      const response = await refused(() => own.create(input('development')));
      expect([response.statusCode, response.json().message]).toEqual(
        refusal(missing, 'development'),
      );
    }
    const all = await inDevelopment(needed);
    const response = await refused(() => all.create(input('development', 'production')));
    expect([response.statusCode, response.json().message]).toEqual(
      refusal(needed[0], 'production'),
    );
    expect((await all.create(input('development'))).statusCode).toBe(201);
  });

  test('are checked before errors that only the database finds', async () => {
    const role = await customRole(app, 'custom', [{ name: 'CREATE_FEATURE' }]);
    const own = featuresOn(await person(app, { roles: { default: role } }));
    const environments = [{ name: 'nowhere', strategies: [{ name: 'nosuch' }] }];
    const response = await refused(() => own.create({ name: 'never', type: 'no', environments }));
    expect(response.json().message).toContain("in the environment 'nowhere'");
    expect(
      (await own.create({ name: 'bare', environments: [{ name: 'production' }] })).statusCode,
    ).toBe(201);
  });

  test('are checked before the body is validated if the caller cannot create features', async () => {
    const viewer = featuresOn(await person(app));
    const response = await refused(() => viewer.create({ environments: 'wrong' }));
    expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
  });
});

describe('creating a feature in an unavailable project', () => {
  const environments = [{ name: 'development', enabled: true }];

  test('returns 404 for a private project, and hides its segments, as if they did not exist', async () => {
    const editor = featuresOn(await person(app, { rootRole: 2 }));
    const into = (project: string) =>
      refused(() => editor.create({ name: 'n', environments }, project));
    expect((await into('closed')).json().message).toBe("Project 'closed' not found");
    expect((await into('absent')).json().message).toBe("Project 'absent' not found");
    const using = (id: number) =>
      refused(() =>
        editor.create({
          name: 'never',
          environments: [
            { name: 'development', strategies: [{ name: 'default', segments: [id] }] },
          ],
        }),
      );
    const [known, unknown] = [await using(foreign), await using(999_999)];
    const path = '/body/environments/0/strategies/0/segments/0';
    expect([known, unknown].map((each) => each.json().details)).toEqual([
      [{ path, message: `Segment ${foreign} not found` }],
      [{ path, message: 'Segment 999999 not found' }],
    ]);
  });

  test('returns 404 for an archived project', async () => {
    await make(app.ask).project('former');
    await app.ask('POST /api/admin/projects/archive/former');
    const response = await refused(() =>
      features.create({ name: 'never', environments }, 'former'),
    );
    expect(response.statusCode).toBe(404);
  });
});

describe('concurrent creations of complete features', () => {
  const environments = [
    {
      name: 'development',
      enabled: true,
      strategies: [{ name: 'flexibleRollout' }],
      variants: [{ name: 'a', weight: 1 }],
    },
  ];

  test('succeed once for the same name, with all parts', async () => {
    const before = await countEvents(app.db);
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => features.create({ name: 'racing', environments })),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([
      201,
      ...Array(5).fill(409),
    ]);
    expect(await countEvents(app.db)).toBe(before + 4);
    expect((await features.read('racing')).environments[0]).toMatchObject({
      enabled: true,
      variantCount: 1,
      strategies: [{ name: 'flexibleRollout' }],
    });
  });

  test('wait for an environment that is being removed from the project and are then rejected', async () => {
    await make(app.ask).project('shrinking');
    const { waited, response } = await askedDuring(
      app,
      (tx) => removeEnvironment(tx, { project: 'shrinking', environment: 'development' }, runHook),
      () => features.create({ name: 'late', environments }, 'shrinking'),
    );
    expect(waited).toBe(true);
    expect([response.statusCode, pathsOf(response)]).toEqual([400, ['/body/environments/0/name']]);
  });

  test('do not deadlock with changes of a segment in a project with a limit', async () => {
    await make(app.ask).project('limited', { featureLimit: 50 });
    const { id } = await make(app.ask).segment('shared-by-all');
    const strategies = [{ name: 'default', segments: [id] }];
    const one = (nth: number) =>
      features.create(
        { name: `limited-${nth}`, environments: [{ name: 'production', strategies }] },
        'limited',
      );
    const change = (nth: number) =>
      app.ask(`PUT /api/admin/segments/${id}`, {
        payload: { name: 'shared-by-all', description: `${nth}`, constraints: [], project: null },
      });
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, nth) => [one(nth), change(nth)]).flat(),
    );
    for (const { statusCode } of answers) expect(statusCode).toBeLessThan(300);
  });
});
