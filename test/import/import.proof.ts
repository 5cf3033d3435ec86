import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { roleIds, systemActor } from '../../src/modules/access/gate/index.ts';
import { addRoles } from '../../src/modules/access/project-access/index.ts';
import {
  archiveProject,
  changeProject,
  createProject,
} from '../../src/modules/catalogue/projects/index.ts';
import { createIntegration, deliverWith } from '../../src/modules/integrations/index.ts';
import {
  createReadingClient,
  oneImportAtATime,
  planFrom,
  planText,
  readUnleash,
} from '../../src/modules/migration/index.ts';
import type { Transact } from '../../src/platform/db/database.ts';
import { runCommand } from '../support/server-process.ts';
import {
  command,
  countEvents,
  emptyInstallation,
  encryptionKeys,
  favorites,
  importFrom,
  own,
  projectFacts,
  settingsOf,
  type TestInstallation,
} from './installation.ts';
import { type Replay, replay } from './replay.ts';
import { adminToken } from './unleash.ts';

/** An import from 6.6, which no test changes. */
let server: Replay;
let whole: TestInstallation;

beforeAll(async () => {
  whole = await emptyInstallation();
  server = await replay('6.6');
  await importFrom(whole, server.url);
});

test('an import from a version that searches events with POST finds the same events', async () => {
  const place = await emptyInstallation();
  const older = await replay('6.6', { asVersion5: true });
  const { report } = await importFrom(place, older.url);
  expect(report.findings).toEqual([]);
  const past = async ({ db }: TestInstallation) => {
    const { rows } = await sql`
      select type, created_at, data ->> 'importedId' as id from events
      where data ->> 'importedId' is not null order by events.id`.execute(db);
    return rows;
  };
  expect(await past(place)).toEqual(await past(whole));
  const changing = older.requests.filter((request) => !request.startsWith('GET '));
  expect(new Set(changing)).toEqual(new Set(['POST /api/admin/events/search']));
});

test('an interrupted import continues and ends with the same result', async () => {
  const place = await emptyInstallation();
  // Each run is interrupted after some transactions, until one completes.
  for (let allowed = 3; ; allowed += 29) {
    let left = allowed;
    const interrupted: Transact = (actor, work) => {
      if (left === 0) throw new Error('interrupted');
      left -= 1;
      return place.transact(actor, work);
    };
    const outcome = await importFrom(place, server.url, interrupted).catch((error: Error) => error);
    if (!(outcome instanceof Error)) break;
    expect(outcome.message).toBe('interrupted');
  }
  const [a, b] = [await own(place), await own(whole)];
  expect(a.features).toEqual(b.features);
  expect(a.projects.map(projectFacts)).toEqual(b.projects.map(projectFacts));
  expect(a.accounts.map(({ email, username }) => email ?? username).sort()).toEqual(
    b.accounts.map(({ email, username }) => email ?? username).sort(),
  );
  const { rows } = await sql<{ twice: number }>`
    select data ->> 'importedId' as twice from events where data ->> 'importedId' is not null
    group by 1 having count(*) > 1`.execute(place.db);
  expect(rows).toEqual([]);
});

test('the second of two imports waits, and no event is imported twice', async () => {
  const place = await emptyInstallation();
  let waiting = 0;
  const alone = () =>
    oneImportAtATime(
      place.db,
      () => {
        waiting += 1;
      },
      () => importFrom(place, server.url),
    );
  await Promise.all([alone(), alone()]);
  expect(waiting).toBe(1);
  expect(await countEvents(place)).toBe(await countEvents(whole));

  // Without waiting, the slower one notices that its events were imported already.
  const other = await emptyInstallation();
  let transactions = 0;
  const overtaken: Transact = async (actor, work) => {
    transactions += 1;
    if (transactions === 2) await importFrom(other, server.url);
    return other.transact(actor, work);
  };
  await expect(importFrom(other, server.url, overtaken)).rejects.toThrow('Another import');
  expect(await countEvents(other)).toBe(await countEvents(whole));

  await oneImportAtATime(
    place.db,
    () => undefined,
    async () => {
      const beside = command(place, 'import', 'unleash', '--url', server.url, '--rate', '1000');
      // Both have requested the lock, and got a result.
      await vi.waitFor(
        async () => {
          const { rows } = await sql`
            select from pg_stat_activity where datname = current_database() and state = 'idle'
              and query ~ '^\\s*select pg_try_advisory_lock'`.execute(place.db);
          expect(rows).toHaveLength(2);
        },
        { timeout: 60_000, interval: 100 },
      );
      return { beside };
    },
  ).then(async ({ beside }) => {
    const { output, code } = await beside;
    expect(output).toContain('Waiting for another import to finish.');
    expect(output).toContain('0 resources created or updated');
    expect(code).toBe(0);
  });
});

test('the plan of a document names Burgee and does not mention the event log', async () => {
  const place = await emptyInstallation();
  await place.transact({ ...systemActor, id: -2000 }, (tx) =>
    createProject(tx, { id: 'own', name: 'Own' }),
  );
  const client = createReadingClient({
    ...{ url: server.url, token: adminToken },
    ...{ concurrency: 8, rate: 1000 },
  });
  const theirs = await readUnleash(client, () => undefined, new Date());
  const source = { ...theirs.source, edition: 'Burgee', version: '0.1.0' };
  const fromUnleash = await planFrom(place.db, theirs, server.url);
  const fromDocument = await planFrom(place.db, { ...theirs, source }, server.url);
  expect(planText(fromUnleash)).toContain('HISTORY_SKIPPED');
  expect(planText(fromDocument)).not.toContain('HISTORY_SKIPPED');
  expect(planText(fromDocument)).toContain('(Burgee 0.1.0)');
});

test('a document contains the access to an archived project and the settings that only Burgee has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-export-'));
  const place = await emptyInstallation();
  await importFrom(place, server.url);
  const { accounts } = await own(place);
  const ada = accounts.find(({ email }) => email === 'ada@example.com');
  await place.transact(systemActor, async (tx) => {
    await createIntegration(
      tx,
      { encryptionKeys, baseUrl: 'http://here' },
      {
        ...{
          provider: 'webhook',
          description: 'ours',
          enabled: false,
          events: ['feature-created'],
        },
        ...{ parameters: { url: 'https://receiver.example.com/' }, projects: [], environments: [] },
        ...{ tags: [{ type: 'simple', value: 'loud' }], inOrder: true, retentionDays: 3 },
      },
    );
    await createProject(tx, { id: 'past', name: 'Past' });
    await changeProject(tx, 'past', { autoStale: true, budget: { maxStale: 3 } });
    await addRoles(tx, 'past', { roles: [roleIds.member], groups: [], users: [ada?.id ?? 0] });
    await archiveProject(tx, 'past');
  });
  const file = join(folder, 'one.json');
  expect(await command(place, 'export', file)).toMatchObject({ code: 0 });
  const other = await emptyInstallation();
  const first = await command(other, 'import', file);
  expect(first.output).not.toContain('ENTERPRISE_UNTESTED');
  expect(first).toMatchObject({ code: 0 });
  expect(await command(other, 'import', file)).toMatchObject({ code: 0 });
  const { projects, integrations } = await own(other);
  expect(integrations.at(-1)).toMatchObject({
    ...{ tags: [{ type: 'simple', value: 'loud' }], inOrder: true, retentionDays: 3 },
  });
  expect(projects.map(({ createdAt: _, ...project }) => project)).toEqual(
    (await own(place)).projects.map(({ createdAt: _, ...project }) => project),
  );
  expect(projects.find(({ id }) => id === 'past')).toMatchObject({
    archived: true,
    ours: { autoStale: true, budget: { maxStale: 3 } },
    access: expect.arrayContaining([{ role: 'Member', account: 'ada@example.com' }]),
  });
});

test('following imports changes, archives what was deleted, delivers no history, and ends with the cutover', async () => {
  const place = await emptyInstallation();
  const followed = await replay('8.2');
  await importFrom(place, followed.url);
  const { responses, client } = followed.recording;
  const source = ['import', 'unleash', '--url', followed.url, '--rate', '1000'];
  await place.transact(systemActor, async (tx) => {
    await createIntegration(
      tx,
      { encryptionKeys, baseUrl: 'http://here' },
      {
        ...{ provider: 'webhook', description: '', enabled: true },
        ...{ parameters: { url: 'https://receiver.example.com/' }, projects: [], environments: [] },
        events: ['feature-import', 'feature-stale-on', 'feature-deleted'],
      },
    );
  });
  // At first, something is rejected.
  const { segments } = responses['/api/admin/segments'] as { segments: object[] };
  segments.push({ id: 99, name: 'nowhere', project: 'nowhere', constraints: [] });
  // In a separate process, because `--cut-over` runs beside it.
  const following = runCommand([...source, '--follow', '--every', '1'], settingsOf(place));
  // It has run once and starts its second look.
  const looks = () =>
    followed.requests.filter((each) => each.endsWith('/search/events?limit=1&offset=0'));
  const looked = (times: number) =>
    vi.waitFor(() => expect(looks().length).toBeGreaterThanOrEqual(times), {
      ...{ timeout: 60_000, interval: 20 },
    });
  await looked(2);
  // For a moment, the other server responds incorrectly.
  responses['/api/admin/search/events?limit=1&offset=0'] = null;
  await looked(looks().length + 1);

  // In Unleash, one feature becomes a favorite and stale, and another is no longer a favorite. One is deleted, and
  // three move to a new project, one of which depends on another. A strategy type gets a new description.
  const { strategies } = responses['/api/admin/strategies'] as {
    strategies: { description: string }[];
  };
  for (const each of strategies) each.description = 'A new description';
  segments.pop();
  const page = '/api/admin/search/features?limit=100&offset=0&sortBy=name&sortOrder=asc';
  const list = responses[page] as { features: { name: string; project: string }[] };
  const moved = ['plain-17', 'parent', 'child'];
  list.features = list.features
    .filter(({ name }) => name !== 'plain-19')
    .map((row) => (moved.includes(row.name) ? { ...row, project: 'shop' } : row));
  const { projects } = responses['/api/admin/projects'] as { projects: object[] };
  projects.push({ ...projects[0], id: 'shop', name: 'Shop' });
  for (const path of [
    'projects/*/overview',
    'environments/project/*',
    ...moved.map((name) => `projects/*/features/${name}?variantEnvironments=true`),
  ]) {
    responses[`/api/admin/${path.replace('*', 'shop')}`] =
      responses[`/api/admin/${path.replace('*', 'default')}`];
  }
  const at = '/api/admin/projects/default/features/plain-18?variantEnvironments=true';
  responses[at] = { ...(responses[at] as object), stale: true };
  const log = '/api/admin/search/events?limit=1000&offset=0';
  const past = responses[log] as { events: { id: number }[]; total: number };
  const newest = past.events.reduce((a, b) => (a.id > b.id ? a : b));
  const ada = { createdBy: 'ada@example.com', createdByUserId: 2 };
  const added = [
    { type: 'project-created', project: 'shop', featureName: null },
    { type: 'strategy-updated', project: null, featureName: null },
    { type: 'segment-deleted', project: null, featureName: null },
    { type: 'feature-stale-on', featureName: 'plain-18' },
    { type: 'feature-deleted', featureName: 'plain-19' },
    ...moved.map((featureName) => ({
      ...{ type: 'feature-project-change', project: 'shop', featureName },
    })),
    { ...ada, type: 'feature-favorited', featureName: 'plain-18', project: null },
    { ...ada, type: 'feature-unfavorited', featureName: 'plain-01', project: null },
  ].map((event, index) => ({ ...newest, ...event, id: newest.id + 1 + index }));
  const total = past.total + added.length;
  responses[log] = { events: [...added.toReversed(), ...past.events], total };
  responses['/api/admin/search/events?limit=1&offset=0'] = { events: [added.at(-1)], total };
  const before = followed.requests.length;
  await vi.waitFor(
    async () => {
      const { features } = await own(place);
      const found = (name: string) => features.find((each) => each.name === name);
      expect(await favorites(place)).toEqual([
        ['ada@example.com', 'default'],
        ['ada@example.com', 'plain-18'],
      ]);
      expect(found('plain-17')).toMatchObject({ project: 'shop', archived: false });
      expect(found('parent')).toMatchObject({ project: 'shop' });
      expect(found('child')).toMatchObject({
        project: 'shop',
        dependencies: [{ feature: 'parent', enabled: true }],
      });
      expect(found('plain-18')).toMatchObject({ stale: true, archived: false });
      expect(found('plain-19')).toMatchObject({ archived: true });
    },
    { timeout: 60_000, interval: 200 },
  );
  // Only what the events mention was read again.
  const read = followed.requests
    .slice(before)
    .filter((each) => each.includes('variantEnvironments'));
  expect(read.map((each) => each.match(/features\/(.*)\?/)?.[1]).sort()).toEqual(
    [...moved, 'plain-18'].sort(),
  );

  // The definition for SDKs of Unleash changes too.
  for (const { response } of Object.values(client)) {
    const definition = response as { features: { name: string }[] };
    definition.features = definition.features.filter(({ name }) => name !== 'plain-19');
  }
  const tokens = Object.entries(client).flatMap(([secret, { environment }]) => [
    '--client-token',
    `${environment}=${secret}`,
  ]);
  const cutOver = await command(place, ...source, '--cut-over', ...tokens);
  expect(cutOver.output).toContain('0 resources created or updated');
  expect(cutOver.output).toContain('0 differences');
  expect(cutOver.output).toContain('Cutover complete. Point your SDKs to Burgee');
  expect(cutOver.code).toBe(0);
  const { strategyTypes } = await own(place);
  expect(strategyTypes).toMatchObject([{ description: 'A new description' }]);
  const { output, code } = await following;
  // The exit code is that of the last state.
  expect(output).toContain('REFUSED');
  expect(code).toBe(0);
  expect(output).toContain('Imported 10 events. 9 resources created or updated');
  expect(output).toContain('DELETED_IN_SOURCE');
  expect(output).toContain("1 feature: 'plain-19'");
  expect(output).toContain('Trying again in 1 s.');
  expect(output).toContain('Cutover complete. Stopped following Unleash.');

  const sent: { type: string; featureName: string }[] = [];
  await place.transact(systemActor, (tx) =>
    deliverWith(tx, { encryptionKeys, baseUrl: 'http://here' }, ({ body }) => {
      sent.push(JSON.parse(String(body)));
      return { status: 200, body: '', headers: {}, latencyMs: 1 };
    }),
  );
  expect(sent.map(({ type, featureName }) => [type, featureName]).sort()).toEqual([
    ['feature-import', 'child'],
    ['feature-import', 'parent'],
    ['feature-import', 'plain-17'],
    ['feature-import', 'plain-18'],
    ['feature-import', 'plain-19'],
  ]);
});
