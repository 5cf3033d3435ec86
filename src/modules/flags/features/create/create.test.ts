import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { facts, featuresOn, now } from '../../../../../test/support/features.ts';
import { make } from '../../../../../test/support/make.ts';
import { featureEnvironmentPath } from '../../../../../test/support/strategies.ts';

/** Two servers with the same content: one creates a feature with one request, the other with several. */
let server: TestApp;
let other: TestApp;
beforeAll(async () => {
  const clock = () => new Date(now);
  [server, other] = [await testApp({ clock }), await testApp({ clock })];
  for (const { ask } of [server, other]) {
    await make(ask).segment('everybody');
    await ask('POST /api/admin/context', {
      payload: { name: 'region', legalValues: [{ value: 'north' }, { value: 'south' }] },
    });
    await ask('PUT /api/admin/projects/default', {
      payload: { name: 'Default', defaultStickiness: 'userId' },
    });
    await ask('POST /api/admin/projects/default/environments/production/default-strategy', {
      payload: {
        name: 'flexibleRollout',
        title: 'Usual',
        parameters: { rollout: 7 },
        segments: [1],
      },
    });
  }
});

interface Beginning {
  readonly name: string;
  readonly enabled?: boolean;
  readonly strategies?: object[];
  readonly variants?: object[];
}
interface Input {
  readonly name: string;
  readonly environments: readonly Beginning[];
  readonly [more: string]: unknown;
}

async function done(answer: Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> {
  const response = await answer;
  if (response.statusCode >= 300) throw new Error(`${response.statusCode}: ${response.body}`);
  return response;
}

/** Creates the same feature step by step. */
async function byParts({ ask }: TestApp, { environments, ...input }: Input): Promise<void> {
  await done(featuresOn({ ask }).create(input));
  for (const { name: environment, enabled, strategies = [], variants } of environments) {
    const path = featureEnvironmentPath(input.name, { environment });
    for (const payload of strategies) await done(ask(`POST ${path}/strategies`, { payload }));
    if (variants) await done(ask(`PUT ${path}/variants`, { payload: variants }));
    if (enabled) await done(ask(`POST ${path}/on`));
  }
}

/** Generated ids may be the only difference. */
const unnamed = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id'));

const eventsOf = async ({ db }: TestApp, feature: string) =>
  unnamed(
    await db
      .selectFrom('events')
      .where((where) =>
        where.or([where('feature_name', '=', feature), where('type', '=', 'tag-created')]),
      )
      .select([
        ...([
          'type',
          'project',
          'environment',
          'feature_name',
          'data',
          'pre_data',
          'tags',
        ] as const),
        ...(['label', 'summary', 'created_by', 'created_by_user_id', 'created_at', 'ip'] as const),
      ])
      .orderBy('id')
      .execute(),
  );

const rich: Input = {
  name: 'rich',
  type: 'experiment',
  description: 'What it is for',
  impressionData: true,
  tags: [
    { type: 'simple', value: 'new-to-all' },
    { type: 'simple', value: 'another' },
  ],
  environments: [
    {
      name: 'production',
      enabled: true,
      strategies: [{ name: 'userWithId', disabled: true, parameters: { userIds: 'ada' } }],
      variants: [{ name: 'only', weight: 1 }],
    },
    {
      name: 'development',
      enabled: true,
      strategies: [
        {
          name: 'flexibleRollout',
          title: 'Some of the north',
          parameters: { rollout: 50 },
          constraints: [
            { contextName: 'region', operator: 'IN', values: ['north'], extra: 'ignored' },
            { contextName: 'unheard-of', operator: 'NUM_GT', value: '5', inverted: true },
          ],
          segments: [1, 1],
          variants: [{ name: 'a', weight: 1, weightType: 'variable', stickiness: 'default' }],
        },
        { name: 'default', sortOrder: 9 },
        { name: 'default', title: 'Behind the ninth' },
        { name: 'remoteAddress', sortOrder: 4, id: 'forged', featureName: 'forged' },
        { name: 'flexibleRollout', title: null, disabled: null, parameters: { groupId: '' } },
      ],
      variants: [
        { name: 'blue', weight: 0, payload: { type: 'json', value: '{"a":1}' } },
        { name: 'green', weight: 100, weightType: 'fix', stickiness: 'random' },
        {
          name: 'red',
          weight: 1000,
          overrides: [{ contextName: 'userId', values: ['1'] }],
          extra: 1,
        },
      ],
    },
  ],
};

describe('a complete feature created with one request', () => {
  test('equals one created with several requests, and so do its events', async () => {
    const response = await done(featuresOn(server).create(rich));
    await byParts(other, rich);
    const whole = await featuresOn(server).read('rich');
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual(whole);
    expect(unnamed(whole)).toEqual(unnamed(await featuresOn(other).read('rich')));
    const events = await eventsOf(server, 'rich');
    expect(events).toEqual(await eventsOf(other, 'rich'));
    const created = 'feature-strategy-add';
    expect(events.map(({ type }) => type)).toEqual([
      ...['feature-created', 'tag-created', 'tag-created', 'feature-tagged', 'feature-tagged'],
      ...[created, 'feature-environment-variants-updated', created, 'feature-environment-enabled'],
      ...[created, created, created, created, created],
      ...['feature-environment-variants-updated', 'feature-environment-enabled'],
    ]);
    for (const environment of ['development', 'production']) {
      const path = featureEnvironmentPath('rich', { environment });
      const read = async ({ ask }: TestApp) => unnamed((await ask(`GET ${path}`)).json());
      expect(await read(server)).toEqual(await read(other));
    }
  });

  test('is returned with everything it has in each environment', async () => {
    const response = await featuresOn(server).create({
      name: 'answered',
      environments: [
        {
          name: 'development',
          enabled: true,
          strategies: [
            { name: 'default', sortOrder: 3 },
            { name: 'default', sortOrder: 1 },
          ],
          variants: [{ name: 'blue', weight: 1000 }],
        },
      ],
    });
    const strategy = (sortOrder: number) => ({
      id: expect.any(String),
      featureName: 'answered',
      name: 'default',
      title: null,
      disabled: false,
      sortOrder,
      constraints: [],
      variants: [],
      parameters: {},
      segments: [],
    });
    const variants = [
      { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'userId', overrides: [] },
    ];
    const place = (name: string, sortOrder: number, more: object) => ({
      ...{ name, featureName: 'answered', environment: name, type: name, sortOrder },
      lastSeenAt: null,
      ...more,
    });
    const creator = {
      id: testActor.id,
      name: testActor.name,
      imageUrl: `http://localhost:4242/avatars/${testActor.id}.svg`,
    };
    expect(response.json()).toEqual({
      ...facts('answered'),
      description: null,
      lastSeenAt: null,
      enabled: true,
      favorite: false,
      createdBy: creator,
      environments: [
        place('development', 100, {
          enabled: true,
          variantCount: 1,
          hasStrategies: true,
          hasEnabledStrategies: true,
          strategies: [strategy(1), strategy(3)],
          variants,
        }),
        place('production', 200, {
          enabled: false,
          variantCount: 0,
          hasStrategies: false,
          hasEnabledStrategies: false,
          strategies: [],
          variants: [],
        }),
      ],
      variants,
      tags: [],
      children: [],
      lifecycle: { stage: 'initial', enteredStageAt: now },
      dependencies: [],
      collaborators: { users: [creator] },
    });
  });

  test.each<[string, readonly Beginning[]]>([
    ['no environments', []],
    ['an environment without properties', [{ name: 'development' }]],
    ['empty lists', [{ name: 'production', enabled: false, strategies: [], variants: [] }]],
  ])('with %s equals one created without them', async (what, environments) => {
    const name = `plain-${what.replaceAll(' ', '-')}`;
    const response = await done(featuresOn(server).create({ name, environments }));
    const { body } = await done(featuresOn(other).create({ name }));
    expect(response.body).toBe(body);
    const states = server.db.selectFrom('feature_environments').where('feature_name', '=', name);
    expect(await states.select('environment').execute()).toEqual([]);
    const about = (await eventsOf(server, name)).filter((each) => each.feature_name === name);
    expect(about.map(({ type }) => type)).toEqual(['feature-created']);
  });

  test('gets the default strategy of the project where it is enabled without one', async () => {
    const input = {
      name: 'defaulted',
      environments: [
        { name: 'development', enabled: true },
        { name: 'production', enabled: true },
      ],
    };
    const response = await done(featuresOn(server).create(input));
    await byParts(other, input);
    expect(response.json().environments).toMatchObject([
      { enabled: true, strategies: [{ parameters: { rollout: '100', groupId: 'defaulted' } }] },
      {
        enabled: true,
        strategies: [{ title: 'Usual', parameters: { rollout: '7' }, segments: [1] }],
      },
    ]);
    expect(unnamed(response.json())).toEqual(unnamed(await featuresOn(other).read('defaulted')));
    expect(await featuresOn(server).read('defaulted')).toEqual(response.json());
    const about = async (app: TestApp) =>
      (await eventsOf(app, 'defaulted')).filter((each) => each.feature_name === 'defaulted');
    expect(await about(server)).toEqual(await about(other));
  });

  test('can be created in another project, with the environments of that project', async () => {
    await make(server.ask).environment('extra');
    await make(server.ask).project('elsewhere');
    const environments = [{ name: 'extra', enabled: true, strategies: [{ name: 'default' }] }];
    const response = await done(
      featuresOn(server).create({ name: 'elsewhere', environments }, 'elsewhere'),
    );
    expect(response.json()).toMatchObject({ project: 'elsewhere', enabled: true });
    expect(await featuresOn(server).read('elsewhere', 'elsewhere')).toEqual(response.json());
  });
});
