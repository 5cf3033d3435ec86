import fc from 'fast-check';
import { transactOn } from '../../src/app/transact.ts';
import { defineEvent, type EventType, record } from '../../src/modules/events/index.ts';
import { type TestApp, testActor } from './app.ts';
import type { ModelEvent, ModelSearch } from './search-model.ts';

/** Random events and searches. */
export const projects = ['default', 'pay,ments', 'Default', 'x y'];
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

/** A tag has at least two characters. */
const tagValue = word.map((text) => ([...text].length < 2 ? `${text}%` : text));

export const happening = fc.record({
  type: fc.constantFrom(...types),
  project: maybe(fc.constantFrom(...projects)),
  featureName: maybe(fc.constantFrom(...features)),
  environment: maybe(fc.constantFrom(...environments)),
  person: fc.constantFrom(...people),
  data: payload,
  preData: payload,
  tags: fc.array(fc.record({ type: fc.constant('simple'), value: tagValue }), { maxLength: 2 }),
  // Days apart and not in order. Only the demo writes such a log, but search must be correct.
  at: fc.integer({ min: 0, max: 40 * 86_400_000 }).map((ms) => new Date(Date.UTC(2026, 0, 1) + ms)),
});

const definitions = new Map(
  types.map((type) => [
    type,
    defineEvent<object>({ type, label: type, summary: ({ user }) => user }),
  ]),
);

type Drawn = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

export async function append(db: TestApp['db'], drawn: readonly Drawn[]): Promise<void> {
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

export const searches: fc.Arbitrary<ModelSearch> = fc.record(
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
    notType: fc.subarray(types).map((some) => `IS_ANY_OF:${some.join(',')}`),
    notProject: operator(projects),
    notFeature: operator(features),
    notEnvironment: operator(environments),
    notCreatedBy: operator(['7', '42', 'admin', '99999999999999999999']),
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

/** The log as stored now, read row by row. */
export async function readLog(db: TestApp['db']): Promise<ModelEvent[]> {
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
