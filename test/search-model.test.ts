import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { transactOn } from '../src/installation.ts';
import { parseSearch } from '../src/modules/events/filter.ts';
import { defineEvent, type EventType, record } from '../src/modules/events/index.ts';
import { forgetPerson } from '../src/modules/events/proof/forget.ts';
import { removeOldEvents } from '../src/modules/events/proof/retention.ts';
import { createSearch } from '../src/modules/events/search/search.ts';
import { createReadSnapshot } from '../src/platform/db/database.ts';
import { type TestApp, testActor, testApp } from './support/app.ts';
import { randomCases } from './support/random-cases.ts';
import { type ModelEvent, type ModelSearch, searchModel } from './support/search-model.ts';

const projects = ['default', 'pay,ments', 'Default', 'x y'];
const features = ['a', 'b', 'feature-α', 'comma,name', '%'];
const environments = ['development', 'production'];
const types: EventType[] = ['feature-created', 'feature-updated', 'project-updated', 'tag-created'];
const people = [
  { id: 7, name: 'ada@example.com' },
  { id: 12, name: '42' },
  { id: -2000, name: 'admin' },
];
const words = [
  'release',
  'Straße',
  'STRASSE',
  'ΟΔΟΣ',
  'οδοσα',
  '100%',
  'under_score',
  'back\\slash',
  'say "big"',
  'new\nline',
  'tab\t',
  '日本語',
  '🚀rocket',
  'İstanbul',
  'null',
  '{"a"',
  '\u{10FFFF}',
  'naïve',
  'K',
];

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 3 });
const word = fc.constantFrom(...words);
const payload = maybe(
  fc.dictionary(
    fc.oneof(word, fc.constantFrom('name', 'description', 'Key"quoted')),
    fc.oneof(
      word,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(word, { maxLength: 3 }),
      fc.string(),
    ),
    { maxKeys: 4, noNullPrototype: true },
  ),
);

const happening = fc.record({
  type: fc.constantFrom(...types),
  project: maybe(fc.constantFrom(...projects)),
  featureName: maybe(fc.constantFrom(...features)),
  environment: maybe(fc.constantFrom(...environments)),
  person: fc.constantFrom(...people),
  data: payload,
  preData: payload,
  tags: fc.array(fc.record({ type: fc.constant('simple'), value: word }), { maxLength: 2 }),
  // Some days apart, not in order: only the demo writes such a log, and search must still be right.
  at: fc.integer({ min: 0, max: 40 * 86_400_000 }).map((ms) => new Date(Date.UTC(2026, 0, 1) + ms)),
});

const definitions = new Map(
  types.map((type) => [
    type,
    defineEvent<object>({ type, label: type, summary: ({ user }) => user }),
  ]),
);

type Drawn = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

async function append(db: TestApp['db'], drawn: readonly Drawn[]): Promise<void> {
  for (const { person, at, type, ...fields } of drawn) {
    const draft = definitions.get(type)?.(fields);
    if (!draft) throw new Error('every drawn type has a definition');
    const actor = { ...testActor, ...person };
    await transactOn(db, () => at)(actor, async (tx) => record(tx, draft));
  }
}

const operator = (values: readonly string[]) =>
  fc.oneof(
    fc.constantFrom(...values, 'unknown').map((value) => `IS:${value}`),
    fc
      .subarray([...values, 'unknown', '', ' blank '], { minLength: 0 })
      .map((some) => `IS_ANY_OF:${some.join(',')}`),
    fc.constantFrom('IS:', 'IS_ANY_OF:'),
  );
const day = fc
  .integer({ min: -2, max: 42 })
  .map((offset) => `IS:${new Date(Date.UTC(2026, 0, 1 + offset)).toISOString().slice(0, 10)}`);
const instant = fc
  .integer({ min: 0, max: 40 * 86_400_000 })
  .map((ms) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString());

const needle = fc.oneof(
  word,
  word.chain((text) =>
    fc
      .tuple(fc.nat(text.length), fc.nat(text.length))
      .map(([a, b]) => text.slice(Math.min(a, b), Math.max(a, b))),
  ),
  fc.constantFrom('%', '_', '\\', '"', "'", '\\n', '\\"', ':', '","', 'E', 'ss', 'σ', 'Σ'),
  fc.string({ maxLength: 3 }),
);

const searches: fc.Arbitrary<ModelSearch> = fc.record(
  {
    query: needle.filter((text) => text.isWellFormed() && !text.includes('\0')),
    queryIn: fc.constantFrom('data', 'preData', 'tags', 'data,preData', 'data,preData,tags'),
    project: operator(projects),
    feature: operator(features),
    environment: operator(environments),
    type: fc.oneof(
      fc.constantFrom(...types).map((type) => `IS:${type}`),
      fc.subarray(types).map((some) => `IS_ANY_OF:${some.join(',')}`),
    ),
    createdBy: operator([
      '7',
      '12',
      '42',
      '-2000',
      'ada@example.com',
      'admin',
      '99999999999999999999',
    ]),
    id: fc
      .array(fc.integer({ min: -1, max: 330 }), { maxLength: 5 })
      .map((ids) => `IS_ANY_OF:${ids.join(',')}`),
    from: day,
    to: day,
    createdAfter: instant,
    createdBefore: instant,
    order: fc.constantFrom('asc', 'desc'),
    limit: fc.integer({ min: 1, max: 60 }).map(String),
    offset: fc.integer({ min: 0, max: 80 }).map(String),
  },
  { requiredKeys: [] },
);

describe('search agrees with a model that looks at every event', () => {
  let app: TestApp;
  const log: ModelEvent[] = [];

  beforeAll(async () => {
    app = await testApp();
    await append(app.db, fc.sample(happening, { numRuns: 300, seed: 42 }));
    const all = await app.ask('GET /api/admin/search/events?limit=1000&order=asc');
    log.push(...all.json().events);
    expect(log.length).toBeGreaterThan(250);
  });

  test('for thousands of random searches: same events, same order, same total', async () => {
    await fc.assert(
      fc.asyncProperty(searches, async (search) => {
        const response = await app.ask(
          `GET /api/admin/search/events?${new URLSearchParams(search)}`,
        );
        const { events, total } = response.json();
        const expected = searchModel(log, search);
        expect({ total, ids: events.map(({ id }: { id: number }) => id) }).toEqual(expected);
      }),
      randomCases(300, 6000),
    );
  });

  test('for random searches whose hits are too many to keep, led by either filter', async () => {
    const search = createSearch(app.db, createReadSnapshot(app.db), {
      keptIds: 3,
      rareHits: 2,
      deepOffset: 4,
      inRow: 5,
    });
    await fc.assert(
      fc.asyncProperty(searches, async (parameters) => {
        const { filter, paging } = parseSearch(parameters);
        const page = await search.page(filter, paging, { ip: true, proof: false });
        const ids = JSON.parse(`[${page.json}]`).map(({ id }: { id: number }) => id);
        expect({ total: page.total, ids }).toEqual(searchModel(log, parameters));
      }),
      randomCases(200, 3000),
    );
  });

  test('for random searches followed by cursor to the end: every hit once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(searches, async ({ offset: _offset, ...search }) => {
        const found: number[] = [];
        let cursor: string | undefined;
        for (let page = 0; page < 400; page += 1) {
          const parameters = new URLSearchParams({ ...search, ...(cursor ? { cursor } : {}) });
          const { events, nextCursor } = (
            await app.ask(`GET /api/admin/search/events?${parameters}`)
          ).json();
          found.push(...events.map(({ id }: { id: number }) => id));
          if (events.length === 0 || !nextCursor) break;
          cursor = nextCursor;
        }
        expect(found).toEqual(searchModel(log, { ...search, limit: '1000' }).ids);
      }),
      randomCases(30, 300),
    );
  });
});

/** The log as the database holds it now, read row by row. */
async function readLog(db: TestApp['db']): Promise<ModelEvent[]> {
  const rows = await db.selectFrom('events').selectAll().orderBy('id').execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    type: row.type,
    createdBy: row.created_by,
    createdByUserId: row.created_by_user_id ?? 0,
    project: row.project,
    featureName: row.feature_name,
    environment: row.environment,
    data: row.data as object | null,
    preData: row.pre_data as object | null,
    tags: row.tags as object[],
  }));
}

describe('what a search remembers stays true', () => {
  test('while events are added, also to the past, people erased and old events removed', async () => {
    const { db } = await testApp();
    const snapshot = createReadSnapshot(db);
    const usual = createSearch(db, snapshot);
    const strict = createSearch(db, snapshot, {
      keptIds: 3,
      rareHits: 2,
      deepOffset: 4,
      inRow: 5,
    });
    const asked = fc.sample(searches, { numRuns: 60, seed: 5 });
    const happenings = fc.sample(happening, { numRuns: 400, seed: 6 });
    const later = new Date('2030-01-01T00:00:00Z');

    const steps: ((step: number) => Promise<unknown>)[] = [
      (step) => append(db, happenings.slice(step * 4, step * 4 + 4)),
      (step) => append(db, happenings.slice(step * 4, step * 4 + 1)),
      (step) => append(db, happenings.slice(step * 4, step * 4 + 3)),
      (step) =>
        step % 3 === 0
          ? transactOn(db)(testActor, (tx) => forgetPerson(tx, step % 2 === 0 ? 7 : 12)).catch(
              () => undefined,
            )
          : transactOn(db, () => later)(testActor, (tx) => removeOldEvents(tx, 1, 9)),
    ];
    for (let step = 0; step < 60; step += 1) {
      await steps[step % steps.length]?.(step);
      const log = await readLog(db);
      for (const parameters of asked.filter((_, index) => index % 6 === step % 6)) {
        const { filter, paging } = parseSearch(parameters);
        for (const search of [usual, strict]) {
          const page = await search.page(filter, paging, { ip: true, proof: false });
          const ids = JSON.parse(`[${page.json}]`).map(({ id }: { id: number }) => id);
          expect({ total: page.total, ids }, JSON.stringify(parameters)).toEqual(
            searchModel(log, parameters),
          );
        }
      }
    }
    const state = await db.selectFrom('event_log').selectAll().executeTakeFirstOrThrow();
    expect(state.anchor_id).toBeGreaterThan(0);
    expect(state.rewrites).toBeGreaterThan(3);
  });
});
