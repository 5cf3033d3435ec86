import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import {
  type ModelFeature,
  type ModelSearch,
  searchFeaturesModel,
} from '../../../../../test/support/feature-model.ts';
import { make } from '../../../../../test/support/make.ts';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { createFeatures } from '../index.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const dayMs = 86_400_000;

/** Each project has different environments. */
const projects: Readonly<Record<string, readonly string[]>> = {
  default: ['development', 'production'],
  pay: ['development'],
  web: ['production'],
};
const lifetimes = { release: 40, operational: 7, experiment: 40, 'kill-switch': null };
const types = Object.keys(lifetimes);
const stages = ['initial', 'pre-live', 'live', 'completed', 'archived'] as const;
const words = ['alpha', 'Beta', 'GAMMA', '100%', 'a_b', 'new\\line', '"quoted"', 'Alphabet'];
const values = ['alpha', 'Beta', 'one,two', 'x:y', '%%'];
const people = [
  { id: testActor.id, name: testActor.name },
  { id: 7, name: 'ada@example.com' },
  { id: 12, name: '42' },
];
const segments = ['beta people', 'one,two', 'nobody'];

const instant = fc
  .integer({ min: 0, max: 60 * 24 })
  .map((hours) => new Date(now.getTime() - hours * 3_600_000).toISOString());

const drawn = fc.record({
  project: fc.constantFrom(...Object.keys(projects)),
  type: fc.constantFrom(...types),
  description: fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((some) => some.join(' ')),
  stale: fc.boolean(),
  archived: fc.integer({ min: 0, max: 3 }).map((die) => die === 0),
  createdAt: instant,
  creator: fc.constantFrom(...people),
  favorite: fc.boolean(),
  entered: fc.subarray(['pre-live', 'live', 'completed'] as const),
  tags: fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 }),
  states: fc.array(
    fc.record({
      stored: fc.boolean(),
      enabled: fc.boolean(),
      lastSeenAt: fc.option(instant, { nil: null }),
      segments: fc.subarray(segments),
    }),
    { minLength: 2, maxLength: 2 },
  ),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

const modelOf = (feature: Drawn, index: number): ModelFeature => ({
  name: `f${index}${feature.description.slice(0, 2).toLowerCase().replace(/\W/g, '')}`,
  project: feature.project,
  type: feature.type,
  description: feature.description,
  stale: feature.stale,
  archived: feature.archived,
  createdAt: feature.createdAt,
  creator: feature.creator,
  favorite: feature.favorite,
  stage: feature.archived ? 'archived' : (feature.entered.at(-1) ?? 'initial'),
  tags: feature.tags.map((value) => ({ type: 'simple', value })),
  environments: Object.fromEntries(
    (projects[feature.project] ?? []).map((environment, place) => {
      const state = feature.states[place] as Drawn['states'][number];
      return [
        environment,
        {
          enabled: state.stored && state.enabled,
          lastSeenAt: state.stored ? state.lastSeenAt : null,
          segments: state.segments,
        },
      ];
    }),
  ),
});

let app: TestApp;
const all: ModelFeature[] = [];

/** Writes to the database directly: metrics and other users' changes cannot be set through HTTP. */
async function store(feature: ModelFeature, entered: Drawn['entered']): Promise<void> {
  const { name, project, creator, environments } = feature;
  await app.transact({ ...testActor, ...creator }, (tx) =>
    createFeatures(tx, project, [{ ...feature, impressionData: false }]),
  );
  const reached = [...entered, ...(feature.archived ? (['archived'] as const) : [])];
  if (reached.length > 0) {
    await app.db
      .insertInto('feature_lifecycles')
      .values(reached.map((stage) => ({ feature_name: name, stage, entered_at: now })))
      .execute();
  }
  if (feature.archived) {
    await app.db
      .updateTable('features')
      .set({ archived_at: now })
      .where('name', '=', name)
      .execute();
  }
  if (feature.favorite) {
    await app.db
      .insertInto('feature_favorites')
      .values({ feature_name: name, user_id: testActor.id, created_at: now })
      .execute();
  }
  const ids = new Map(
    (await app.db.selectFrom('segments').select(['id', 'name']).execute()).map((segment) => [
      segment.name,
      segment.id,
    ]),
  );
  for (const [environment, { enabled, lastSeenAt, segments: used }] of Object.entries(
    environments,
  )) {
    if (enabled || lastSeenAt !== null) {
      await app.db
        .insertInto('feature_environments')
        .values({
          feature_name: name,
          environment,
          enabled,
          last_seen_at: lastSeenAt === null ? null : new Date(lastSeenAt),
        })
        .execute();
    }
    if (used.length === 0) continue;
    const id = `${name}-${environment}`;
    await app.db
      .insertInto('feature_strategies')
      .values({
        id,
        feature_name: name,
        environment,
        name: 'flexibleRollout',
        disabled: false,
        sort_order: 0,
        parameters: '{}',
        constraints: '[]',
        variants: '[]',
        created_at: now,
      })
      .execute();
    await app.db
      .insertInto('feature_strategy_segments')
      .values(used.map((segment) => ({ strategy_id: id, segment_id: ids.get(segment) ?? 0 })))
      .execute();
  }
}

beforeAll(async () => {
  app = await testApp({ clock: () => now });
  for (const [project, environments] of Object.entries(projects).slice(1)) {
    await make(app.ask).project(project, { environments });
  }
  for (const segment of segments) await make(app.ask).segment(segment);
  for (const [index, feature] of fc.sample(drawn, { numRuns: 120, seed: 11 }).entries()) {
    const model = modelOf(feature, index);
    all.push(model);
    await store(model, feature.entered);
  }
});

const choice = (known: readonly string[]) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('IS', 'IS_NOT'), fc.constantFrom(...known))
      .map(([operator, value]) => `${operator}:${value}`),
    fc
      .tuple(fc.constantFrom('IS_ANY_OF', 'IS_NONE_OF'), fc.subarray([...known]))
      .map(([operator, some]) => `${operator}:${some.join(', ')}`),
  );
const inclusion = (known: readonly string[]) =>
  fc.oneof(
    choice(known),
    fc
      .tuple(fc.constantFrom('INCLUDE', 'DO_NOT_INCLUDE'), fc.constantFrom(...known))
      .map(([operator, value]) => `${operator}:${value}`),
    fc
      .tuple(
        fc.constantFrom('INCLUDE_ANY_OF', 'INCLUDE_ALL_OF', 'EXCLUDE_IF_ANY_OF', 'EXCLUDE_ALL'),
        fc.subarray([...known]),
      )
      .map(([operator, some]) => `${operator}:${some.join(',')}`),
  );
const day = (...operators: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...operators), fc.integer({ min: -1, max: 61 }))
    .map(([operator, days]) => {
      const at = new Date(now.getTime() - days * dayMs).toISOString();
      return `${operator}:${at.slice(0, 10)}`;
    });
const part = fc
  .constantFrom(...words, ...values, 'simple', 'f1')
  .chain((text) =>
    fc
      .tuple(fc.nat(text.length - 1), fc.boolean())
      .map(([from, upper]) => (upper ? text.slice(from).toUpperCase() : text.slice(from))),
  );

const filters = {
  query: fc
    .tuple(fc.array(part, { maxLength: 2 }), fc.constantFrom(' ', ', '))
    .map(([parts, separator]) => parts.join(separator)),
  project: choice([...Object.keys(projects), 'nosuch', '']),
  state: choice(['active', 'stale', 'potentially-stale']),
  type: choice([...types, 'nosuch']),
  createdBy: choice(['7', '12', '42', 'ada@example.com', 'admin', '99999999999999999999']),
  lifecycle: choice(stages),
  tag: inclusion([...values.map((value) => `simple:${value}`), 'simple:one', 'two']),
  segment: inclusion([...segments, 'one', 'two']),
  status: fc
    .uniqueArray(
      fc
        .tuple(
          fc.constantFrom('development', 'production', 'nosuch'),
          fc.constantFrom('enabled', 'disabled'),
        )
        .map((both) => both.join(':')),
      { minLength: 1, maxLength: 3 },
    )
    .map((some) => some.join(',')),
  archived: fc.constantFrom('IS:true', 'IS:false'),
  enabledIn: inclusion(['development', 'production', 'nosuch']),
  createdAt: day('IS_BEFORE', 'IS_ON_OR_AFTER'),
  lastSeenAt: day('IS_BEFORE', 'IS_ON_OR_AFTER', 'IS_BEFORE_OR_NEVER'),
};

const order = fc.record(
  {
    favoritesFirst: fc.constantFrom('true', 'false'),
    sortBy: fc.constantFrom(
      'name',
      'createdAt',
      'type',
      'project',
      'stale',
      'lastSeenAt',
      'environment:development',
      'environment:nosuch',
    ),
    sortOrder: fc.constantFrom('asc', 'desc'),
    offset: fc.integer({ min: 0, max: 30 }).map(String),
    limit: fc.integer({ min: 1, max: 40 }).map(String),
  },
  { requiredKeys: [] },
);

/** Few filters each, because all together match nothing. */
const searches: fc.Arbitrary<ModelSearch> = fc
  .tuple(
    fc.record(filters),
    fc.subarray(Object.keys(filters) as (keyof typeof filters)[], { maxLength: 3 }),
    order,
  )
  .map(([drawnFilters, names, drawnOrder]) => ({
    ...Object.fromEntries(names.map((name) => [name, drawnFilters[name]])),
    ...drawnOrder,
  }));

test('the search agrees with a model that checks every feature', async () => {
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(searches, async (search) => {
      const response = await app.ask(
        `GET /api/admin/search/features?${new URLSearchParams(search)}`,
      );
      expect(response.statusCode, response.body).toBe(200);
      const { features, total } = response.json();
      hits += total;
      const expected = searchFeaturesModel(all, search, { lifetimes, now: now.getTime() });
      expect({ total, names: features.map(({ name }: { name: string }) => name) }).toEqual(
        expected,
      );
    }),
    randomCases(50, 3000),
  );
  expect(hits).toBeGreaterThan(1_500);
});
