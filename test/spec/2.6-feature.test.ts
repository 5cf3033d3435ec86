import { Ajv } from 'ajv';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { asSpecified } from '../support/as-specified.ts';
import { limitedApp } from '../support/limited-app.ts';
import { make } from '../support/make.ts';

/** The tables of part 2: nothing is null, and there are no other properties. */
const text = { type: 'string' };
const truth = { type: 'boolean' };
const number = { type: 'number' };
const instant = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
};
const array = (items: object) => ({ type: 'array', items });
const object = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const tag = object({ type: text, value: text });
const person = object({
  id: number,
  name: text,
  imageUrl: { type: 'string', pattern: '^http://localhost:4242/avatars/-?\\d+\\.svg$' },
});
const constraint = object(
  {
    contextName: text,
    operator: text,
    caseInsensitive: truth,
    inverted: truth,
    values: array(text),
    value: text,
  },
  ['value'],
);
const strategyVariant = {
  name: text,
  weight: number,
  weightType: { enum: ['fix', 'variable'] },
  stickiness: text,
  payload: object({ type: text, value: text }),
};
const variant = object(
  {
    ...strategyVariant,
    overrides: array(object({ contextName: text, values: array(text) })),
  },
  ['payload'],
);
const strategy = object(
  {
    id: text,
    name: text,
    title: text,
    disabled: truth,
    featureName: text,
    sortOrder: number,
    segments: array({ type: 'integer' }),
    constraints: array(constraint),
    variants: array(object(strategyVariant, ['payload'])),
    parameters: { type: 'object', additionalProperties: text },
  },
  ['title'],
);
const featureEnvironment = object(
  {
    name: text,
    featureName: text,
    environment: text,
    type: text,
    enabled: truth,
    sortOrder: number,
    variantCount: number,
    strategies: array(strategy),
    variants: array(variant),
    lastSeenAt: instant,
    hasStrategies: truth,
    hasEnabledStrategies: truth,
  },
  ['lastSeenAt'],
);
const feature = object(
  {
    name: text,
    type: text,
    // Null outside of the operations of part 4, which return an empty string.
    description: { type: ['string', 'null'] },
    archived: truth,
    project: text,
    enabled: truth,
    stale: truth,
    favorite: truth,
    impressionData: truth,
    createdAt: instant,
    createdBy: person,
    archivedAt: instant,
    lastSeenAt: instant,
    environments: array(featureEnvironment),
    variants: array(variant),
    tags: array(tag),
    children: array(text),
    lifecycle: object({ stage: text, enteredStageAt: instant, status: text }, ['status']),
    dependencies: array(object({ feature: text, enabled: truth, variants: array(text) })),
    collaborators: object({ users: array(person) }),
  },
  ['archivedAt', 'lastSeenAt'],
);
const isFeature = new Ajv({ allErrors: true, strict: false }).compile(feature);

/** The body of a response that must be a complete feature. */
function whole(response: LightMyRequestResponse, status = 200) {
  expect(response.statusCode, response.body).toBe(status);
  const body = asSpecified(response.json());
  isFeature(body);
  expect(isFeature.errors ?? []).toEqual([]);
  return body;
}

let app: TestApp;
const admin = '/api/admin';
const features = `${admin}/projects/default/features`;
const get = (name: string) => app.ask(`GET ${features}/${name}`);

const blue = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' };

beforeAll(async () => {
  app = await testApp();
  await make(app.ask).environment('aaa', { sortOrder: 200 });
  await make(app.ask).environment('first', { sortOrder: 1 });
  for (const environment of ['aaa', 'first']) {
    await app.ask(`POST ${admin}/projects/default/environments`, { payload: { environment } });
  }
});

describe('2.6 Feature', () => {
  test('every response with a feature contains all fields', async () => {
    const payload = { name: 'walked', tags: [{ type: 'simple', value: 'tagged' }] };
    whole(await app.ask(`POST ${features}`, { payload }), 201);
    whole(await get('walked'));
    whole(await app.ask(`PUT ${features}/walked`, { payload: { description: 'New' } }));
    const patch = [{ op: 'replace', path: '/stale', value: true }];
    whole(await app.ask(`PATCH ${features}/walked`, { payload: patch }));
    await app.ask(`DELETE ${features}/walked`);
    const archived = whole(await get('walked?archived=true'));
    expect(archived).toMatchObject({ archived: true, archivedAt: expect.any(String) });
  });

  test('returns all properties of a feature that uses every option', async () => {
    const segment = await make(app.ask).segment('people');
    const other = await make(app.ask).segment('others');
    for (const name of ['everything', 'parent', 'child-b', 'child-a']) {
      await make(app.ask).feature(name);
    }
    const constraints = [
      { contextName: 'userId', operator: 'IN', values: ['1', '2'] },
      { contextName: 'appVersion', operator: 'SEMVER_GT', value: '1.2.3', inverted: true },
    ];
    const payload = { type: 'string', value: 'x' };
    await make(app.ask).strategy('everything', { title: 'Second', sortOrder: 2 });
    await make(app.ask).strategy('everything', {
      title: 'First',
      sortOrder: 1,
      constraints,
      segments: [other.id, segment.id],
      variants: [{ ...blue, payload }],
      parameters: { rollout: '50', stickiness: 'default', groupId: 'everything' },
    });
    await make(app.ask).strategy('everything', { disabled: true }, { environment: 'production' });
    await make(app.ask).variants('everything', [{ ...blue, payload }], { environment: 'first' });
    await make(app.ask).variants('everything', [{ ...blue, name: 'red' }]);
    await app.ask(`POST ${features}/everything/environments/development/on`);
    await app.ask(`POST ${features}/everything/favorites`);
    await make(app.ask).dependency('child-b', 'everything', {});
    await make(app.ask).dependency('child-a', 'everything', {});
    await app.db
      .insertInto('feature_environments')
      .values([
        { feature_name: 'everything', environment: 'aaa', last_seen_at: new Date('2026-01-02') },
        {
          feature_name: 'everything',
          environment: 'production',
          last_seen_at: new Date('2026-01-01'),
        },
      ])
      .execute();

    const found = whole(await get('everything'));
    expect(found).toMatchObject({
      enabled: true,
      favorite: true,
      children: ['child-a', 'child-b'],
      dependencies: [],
      lastSeenAt: '2026-01-02T00:00:00.000Z',
    });
    // From the last environment, by sort order, that has variants.
    expect(found.variants).toEqual([{ ...blue, name: 'red', overrides: [] }]);
    const places = found.environments.map(
      ({ name, sortOrder }: { name: string; sortOrder: number }) => [name, sortOrder],
    );
    expect(places).toEqual([
      ['first', 1],
      ['development', 100],
      ['aaa', 200],
      ['production', 200],
    ]);
    const [first, development, aaa, production] = found.environments;
    expect(first).toMatchObject({ variantCount: 1, hasStrategies: false, enabled: false });
    expect(development).toMatchObject({
      environment: 'development',
      featureName: 'everything',
      enabled: true,
      hasStrategies: true,
      hasEnabledStrategies: true,
    });
    expect(development.strategies.map(({ title }: { title: string }) => title)).toEqual([
      'First',
      'Second',
    ]);
    expect(development.strategies[0]).toMatchObject({
      featureName: 'everything',
      segments: [segment.id, other.id].sort((a, b) => a - b),
      variants: [{ ...blue, payload }],
      parameters: { rollout: '50', stickiness: 'default', groupId: 'everything' },
      constraints: [
        { contextName: 'userId', operator: 'IN', values: ['1', '2'], inverted: false },
        { contextName: 'appVersion', operator: 'SEMVER_GT', value: '1.2.3', inverted: true },
      ],
    });
    expect(aaa).toMatchObject({ lastSeenAt: '2026-01-02T00:00:00.000Z', hasStrategies: false });
    expect(production).toMatchObject({
      lastSeenAt: '2026-01-01T00:00:00.000Z',
      hasStrategies: true,
      hasEnabledStrategies: false,
    });
    expect(production.strategies[0]).not.toHaveProperty('title');
    expect(whole(await get('child-a'))).toMatchObject({
      dependencies: [{ feature: 'everything', enabled: true, variants: [] }],
      children: [],
    });
    const stranger = limitedApp(app, { id: 4711 });
    expect(whole(await stranger.ask(`GET ${features}/everything`))).toMatchObject({
      favorite: false,
    });
  });

  test('omits archived children', async () => {
    for (const name of ['lonely', 'leaving']) await make(app.ask).feature(name);
    await make(app.ask).dependency('leaving', 'lonely', {});
    await app.ask(`DELETE ${features}/leaving`);
    expect(whole(await get('lonely'))).toMatchObject({ children: [] });
  });

  test('omits environments that were removed from the project', async () => {
    await make(app.ask).project('losing');
    await make(app.ask).feature('loses', { project: 'losing' });
    const path = `${admin}/projects/losing/features`;
    await app.ask(`POST ${path}/loses/environments/production/on`);
    await app.db
      .deleteFrom('project_environments')
      .where('project', '=', 'losing')
      .where('environment', '=', 'production')
      .execute();
    const found = whole(await app.ask(`GET ${path}/loses`));
    expect(found.enabled).toBe(false);
    const [listed] = (await app.ask(`GET ${path}`)).json().features;
    const [searched] = (await app.ask(`GET ${admin}/search/features?project=IS:losing`)).json()
      .features;
    for (const { enabled, environments } of [found, listed, searched]) {
      expect(enabled).toBe(false);
      expect(environments.map(({ name }: { name: string }) => name)).not.toContain('production');
    }
  });
});
