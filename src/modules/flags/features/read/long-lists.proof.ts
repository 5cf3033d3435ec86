import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';

/** More than one statement reads: batches of features start with 100 and grow to 500, those of segments start with 10. */
const total = 700;
const segmentTotal = 25;
const project = 'long';
const admin = '/api/admin';

let app: TestApp;
let names: string[];

const named = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project(project);
  // Names that sort differently by bytes and by language.
  await sql`
    insert into features (name, project, type, impression_data, stale, created_by, created_by_user_id, created_at, archived_at)
    select (array['a-', 'A_', 'b.', 'B'])[1 + n % 4] || n || case when archived then '-old' else '' end,
      ${project}, 'release', false, false, 'admin', 1, now(), case when archived then now() end
    from generate_series(1, ${total}::int) n, unnest(array[false, true]) archived`.execute(app.db);
  await sql`
    insert into feature_strategies (id, feature_name, environment, name, sort_order, parameters, constraints, variants, disabled, created_at)
    select gen_random_uuid()::text, name, 'development', 'default', 0, '{}', '[]', '[]', false, now()
    from features where project = ${project} and archived_at is null`.execute(app.db);
  await sql`
    insert into segments (name, constraints, created_by, created_by_user_id, created_at)
    select 'segment-' || n, '[{"contextName": "userId", "operator": "IN", "values": ["é"]}]', 'admin', 1, now()
    from generate_series(1, ${segmentTotal}::int) n`.execute(app.db);
  const { rows } = await sql<{ name: string }>`
    select name from features where project = ${project} and archived_at is null order by name`.execute(
    app.db,
  );
  names = named(rows);
});

const read = async (path: string) => (await app.ask(`GET ${admin}/${path}`)).json();

test('the feature list of a project has every feature once, sorted by name', async () => {
  expect(named((await read(`projects/${project}/features`)).features)).toEqual(names);
});

test('the deprecated overview of a project has every feature once, sorted by name', async () => {
  const { name, features } = await read(`projects/${project}`);
  expect(name).toBe(project);
  expect(named(features)).toEqual(names);
});

test('the archive of one project and of all has every archived feature once', async () => {
  const archived = names.map((name) => `${name}-old`).sort();
  for (const path of [`archive/features/${project}`, 'archive/features']) {
    expect(named((await read(path)).features).sort()).toEqual(archived);
  }
});

test('a long page of a search equals its short pages combined', async () => {
  const search = 'search/features?sortBy=createdAt&sortOrder=desc';
  const long = await read(`${search}&limit=1000`);
  const short = [];
  for (let offset = 0; offset < total; offset += 250) {
    short.push(...(await read(`${search}&limit=250&offset=${offset}`)).features);
  }
  expect(long.total).toBe(total);
  expect(long.features).toEqual(short);
  expect(long.features).toHaveLength(total);
});

test('an export has every feature, strategy and environment state once and records their numbers', async () => {
  const payload = { environment: 'development', project };
  const document = (await app.ask(`POST ${admin}/features-batch/export`, { payload })).json();
  expect(Object.keys(document)).toEqual([
    ...['features', 'featureStrategies', 'featureEnvironments', 'contextFields'],
    ...['featureTags', 'segments', 'tagTypes', 'dependencies', 'featureMetadata'],
  ]);
  expect(named(document.features)).toEqual(names);
  for (const list of [document.featureStrategies, document.featureEnvironments]) {
    expect(list.map(({ featureName }: { featureName: string }) => featureName)).toEqual(names);
  }
  const { events } = await read('search/events?type=IS:features-exported&limit=1');
  expect(events[0].data).toMatchObject({ featureCount: total, strategyCount: total, tagCount: 0 });
  expect(events[0].data.features).toEqual(names);
});

test('the list of segments has every segment once, with its constraints', async () => {
  const { segments } = await read('segments');
  const { rows } = await sql<{ name: string }>`select name from segments order by name`.execute(
    app.db,
  );
  expect(named(segments)).toEqual(named(rows));
  expect(segments).toHaveLength(segmentTotal);
  expect(segments[0]).toMatchObject({
    ...{ description: null, usedInFeatures: 0, usedInProjects: 0, createdBy: 'admin' },
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['é'] }],
    createdAt: expect.stringMatching(/Z$/),
  });
});
