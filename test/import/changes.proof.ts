import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { verifyLog } from '../../src/modules/events/index.ts';
import { createFeatures } from '../../src/modules/flags/features/index.ts';
import { compareDefinitions, readOwnDefinition } from '../../src/modules/migration/index.ts';
import { createReadSnapshot } from '../../src/platform/db/database.ts';
import { testActor } from '../support/app.ts';
import {
  command,
  countEvents,
  emptyInstallation,
  importFrom,
  own,
  projectFacts,
  type TestInstallation,
} from './installation.ts';
import { type Replay, replay } from './replay.ts';

/** A recorded response that a test can change. */
const at = <Response>(server: Replay, path: string): Response =>
  server.recording.responses[`/api/admin/${path}`] as Response;

interface Log {
  events: { id: number; type: string }[];
  total: number;
}

const wholeLog = 'search/events?limit=1000&offset=0';

const projectsOf = async (place: TestInstallation) => (await own(place)).projects.map(projectFacts);

const codesOf = ({ report }: Awaited<ReturnType<typeof importFrom>>) =>
  report.plan.findings.map(({ code, what, names = [] }) => `${code}: ${what} ${names.join()}`);

test('an import keeps users and tokens that were renamed or deleted in Unleash, and reports them', async () => {
  const place = await emptyInstallation();
  const server = await replay('6.6');
  await importFrom(place, server.url);
  const people = at<{ users: { email?: string; username?: string }[] }>(server, 'user-admin');
  for (const person of people.users) {
    if (person.email === 'ada@example.com') person.email = 'ada@elsewhere.example.com';
  }
  people.users = people.users.filter(({ username }) => username !== 'grace');
  const list = at<{ tokens: { tokenName: string }[] }>(server, 'api-tokens');
  list.tokens = list.tokens.filter(({ tokenName }) => tokenName !== 'browser');

  const again = await importFrom(place, server.url);
  expect(again.report).toMatchObject({ done: 0, findings: [] });
  expect(codesOf(again)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/ACCOUNT_RENAMED.*'ada@elsewhere.example.com'.*'ada@example.com'/),
      expect.stringMatching(/DELETED_IN_SOURCE: .* can still be used. grace/),
      expect.stringMatching(/DELETED_IN_SOURCE: .* is still valid. browser/),
    ]),
  );
  const logins = (await own(place)).accounts.map(({ email, username }) => email ?? username);
  expect(logins).toEqual(expect.arrayContaining(['ada@example.com', 'grace']));
});

test('an import skips a rejected segment and the features that use it, and imports the rest', async () => {
  const place = await emptyInstallation();
  const server = await replay('6.6');
  const { segments } = at<{ segments: { name: string; project?: string }[] }>(server, 'segments');
  for (const segment of segments) if (segment.name === 'europeans') segment.project = 'nowhere';
  const { report, theirs } = await importFrom(place, server.url);
  expect(report.findings.map(({ code, what, names }) => [code, what, names])).toEqual([
    ['REFUSED', expect.stringContaining("Skipped: Project 'nowhere' not found"), ['europeans']],
    ['REFUSED', expect.stringContaining("Skipped: its segment 'europeans'"), ['constrained']],
  ]);
  const { features } = await own(place);
  expect(features).toHaveLength(theirs.features.length - 1);
});

test('an import accepts constraint values that are no longer legal', async () => {
  const place = await emptyInstallation();
  const server = await replay('6.6');
  const fields = at<{ name: string; legalValues?: object[] }[]>(server, 'context');
  for (const field of fields) if (field.name === 'region') field.legalValues = [{ value: 'asia' }];
  const { environments } = at<{ environments: { defaultStrategy?: object }[] }>(
    server,
    'environments/project/default',
  );
  for (const each of environments) {
    if (!each.defaultStrategy) continue;
    const constraints = [{ contextName: 'region', operator: 'IN', values: ['eu'] }];
    each.defaultStrategy = { ...each.defaultStrategy, constraints };
  }
  const { report, theirs } = await importFrom(place, server.url);
  expect(report.findings).toEqual([]);
  const here = await own(place);
  expect(here.segments.map(({ constraints }) => constraints)).toEqual(
    theirs.segments.map(({ constraints }) => constraints),
  );
  expect(await projectsOf(place)).toEqual(theirs.projects.map(projectFacts));
});

test('an import removes a default strategy and an environment that a project lost in Unleash', async () => {
  const place = await emptyInstallation();
  const server = await replay('6.6');
  await importFrom(place, server.url);
  const { environments } = at<{ environments: { defaultStrategy?: object | null }[] }>(
    server,
    'environments/project/default',
  );
  for (const each of environments) each.defaultStrategy = null;
  const first = await importFrom(place, server.url);
  expect(first.report).toMatchObject({ done: 1, findings: [] });
  expect(await projectsOf(place)).toEqual(first.theirs.projects.map(projectFacts));

  // Unleash does not show what features have in such an environment.
  const overview = at<{ environments: { environment: string }[] }>(
    server,
    'projects/default/overview',
  );
  overview.environments = overview.environments.filter(
    ({ environment }) => environment !== 'development',
  );
  const without = (feature: { environments?: { name: string }[] | undefined }) => {
    feature.environments = feature.environments?.filter(({ name }) => name !== 'development');
  };
  for (const [path, response] of Object.entries(server.recording.responses)) {
    if (path.includes('?variantEnvironments=true')) without(response as object);
    if (path.includes('/search/features')) {
      for (const row of (response as { features: object[] }).features) without(row);
    }
  }
  const second = await importFrom(place, server.url);
  expect(second.report.findings).toEqual([]);
  expect(await projectsOf(place)).toEqual(second.theirs.projects.map(projectFacts));
  expect((await importFrom(place, server.url)).report).toMatchObject({ done: 0, findings: [] });

  // SDKs of Unleash receive the features of such a project as disabled. Burgee omits them.
  const here = await readOwnDefinition(place.db, 'development');
  expect(here.features).toEqual([]);
  const plain = { type: 'release', project: 'default', strategies: [], variants: [] };
  const there = (name: string, enabled: boolean) =>
    ({ features: [{ ...plain, name, enabled }], segments: [] }) as unknown as typeof here;
  const differing = (theirs: typeof here) =>
    compareDefinitions('development', theirs, here, { count: 10, now: new Date() }).differences;
  expect(differing(there('plain-01', false))).toEqual([]);
  expect(differing(there('plain-01', true))).toMatchObject([{ feature: 'plain-01', here: null }]);
  expect(differing(there('unknown', false))).toMatchObject([{ feature: 'unknown', here: null }]);
});

const livingList = 'search/features?limit=100&offset=0&sortBy=name&sortOrder=asc';

interface FeatureList {
  features: { name: string }[];
}

test('an import looks up a feature missing in the list before it treats it as deleted', async () => {
  const place = await emptyInstallation();
  const server = await replay('6.6');
  await importFrom(place, server.url);
  const list = at<FeatureList>(server, livingList);
  const missed = list.features.find(({ name }) => name === 'plain-03');
  list.features = list.features.filter((row) => row !== missed);
  server.recording.responses[`/api/admin/${livingList}&query=plain-03`] = { features: [missed] };
  const again = await importFrom(place, server.url);
  expect(again.report).toMatchObject({ done: 0, findings: [] });
  expect(codesOf(again)).not.toContainEqual(expect.stringContaining('DELETED_IN_SOURCE'));
  const planned = await command(place, 'import', 'unleash', '--url', server.url, '--plan');
  expect(planned.output).not.toContain('DELETED_IN_SOURCE');
  // A feature that is really deleted is archived.
  delete server.recording.responses[`/api/admin/${livingList}&query=plain-03`];
  expect((await importFrom(place, server.url)).report.done).toBe(1);
});

test('an import includes an event that becomes visible later than newer ones', async () => {
  const place = await emptyInstallation();
  const server = await replay('6.6');
  const log = at<Log>(server, wholeLog);
  const late = log.events
    .filter(({ type }) => !type.endsWith('favorited'))
    .toSorted((a, b) => a.id - b.id)
    .at(-5);
  server.recording.responses[`/api/admin/${wholeLog}`] = {
    events: log.events.filter((event) => event !== late),
    total: log.total - 1,
  };
  const first = await importFrom(place, server.url);
  expect(first.report.events).toBe(log.total - 1);
  server.recording.responses[`/api/admin/${wholeLog}`] = log;
  const second = await importFrom(place, server.url);
  expect(second.report).toMatchObject({ events: 1, done: 0, findings: [] });
  const { rows } = await sql<{ id: number }>`
    select (data ->> 'importedId')::integer as id from events
    where data ->> 'importedId' is not null order by 1`.execute(place.db);
  expect(rows.map(({ id }) => id)).toEqual(log.events.map(({ id }) => id).sort((a, b) => a - b));
  await expect(createReadSnapshot(place.db)((db) => verifyLog(db))).resolves.toMatchObject({});
  expect((await importFrom(place, server.url)).report.events).toBe(0);
});

test('an import does not treat the error page of a proxy as a deletion', async () => {
  const place = await emptyInstallation();
  const server = await replay('6.6');
  await importFrom(place, server.url);
  const events = await countEvents(place);
  const paths = Object.keys(server.recording.responses);
  const active = paths.find((path) => path.includes('/features/plain-00?')) ?? '';
  const archived =
    paths.find((path) => /archived-one\/environments\/development\/strategies/.test(path)) ?? '';
  for (const [path, status] of [
    [active, 404],
    [archived, 404],
    [archived, 503],
    ['/api/admin/segments', 404],
  ] as const) {
    server.failures.set(path, { status, type: 'text/html' });
    await expect(importFrom(place, server.url)).rejects.toThrow(`${path} with ${status}`);
    server.failures.clear();
  }
  // The same applies to a response without required properties.
  for (const path of [
    active,
    '/api/admin/search/features?limit=100&offset=0&sortBy=name&sortOrder=asc',
    '/api/admin/segments',
    '/api/admin/user-admin',
  ]) {
    server.failures.set(path, { status: 200, type: 'application/json' });
    await expect(importFrom(place, server.url)).rejects.toThrow('A response from Unleash has no');
    server.failures.clear();
  }
  expect(await countEvents(place)).toBe(events);
});

test('an import refuses to undo changes made in Burgee after the cutover', async () => {
  const place = await emptyInstallation();
  const server = await replay('6.6');
  const source = ['import', 'unleash', '--url', server.url, '--rate', '1000'];
  const tokens = Object.entries(server.recording.client).flatMap(([secret, { environment }]) => [
    '--client-token',
    `${environment}=${secret}`,
  ]);
  for (let times = 0; times < 2; times += 1) {
    const { code, output } = await command(place, ...source, '--cut-over', ...tokens);
    expect(output).toContain('Cutover complete. Point your SDKs to Burgee');
    expect(code).toBe(0);
  }
  await place.transact(testActor, (tx) =>
    createFeatures(tx, 'default', [
      { name: 'ours', description: null, type: 'release', impressionData: false },
    ]),
  );
  const refused = await command(place, ...source);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain(
    'Burgee has changed since. This import could overwrite those changes.',
  );
  expect(await command(place, ...source, '--again')).toMatchObject({ code: 0 });
});
