import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { transactOn } from '../../src/app/transact.ts';
import { roleIds, systemActor } from '../../src/modules/access/gate/index.ts';
import { addRoles } from '../../src/modules/access/project-access/index.ts';
import {
  archiveProject,
  changeProject,
  createProject,
} from '../../src/modules/catalogue/projects/index.ts';
import { verifyLog } from '../../src/modules/events/index.ts';
import { createIntegration, deliverWith } from '../../src/modules/integrations/index.ts';
import {
  compareDefinitions,
  createReadingClient,
  createSync,
  oneImportAtATime,
  planFrom,
  planJson,
  planText,
  readOwnDefinition,
  readTheirDefinition,
  readUnleash,
} from '../../src/modules/migration/index.ts';
import { createReadSnapshot, type Transact } from '../../src/platform/db/database.ts';
import { hashSecret } from '../../src/platform/secret.ts';
import { closeLater } from '../support/closing.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { runCommand } from '../support/server-process.ts';
import {
  command,
  countEvents,
  emptyInstallation,
  encryptionKeys,
  importFrom,
  own,
  settingsOf,
  type TestInstallation,
} from './installation.ts';
import { type Replay, replay } from './replay.ts';
import { adminToken } from './unleash.ts';

/** The favorites of all users: projects and features. */
const favorites = async ({ db }: TestInstallation) => {
  const { rows } = await sql<{ login: string; name: string }>`
    select coalesce(u.email, u.username) as login, own.name from users u join (
      select user_id, feature_name as name from feature_favorites
      union all select user_id, project from project_favorites) own on own.user_id = u.id
    order by 1, 2`.execute(db);
  return rows.map(({ login, name }) => [login, name]);
};

type Own = Awaited<ReturnType<typeof own>>;

/** Ids differ between installations. Only Burgee knows whether a creator has an account. */
const nameless = ({ id: _, createdBy, ...segment }: Own['segments'][number]) => ({
  ...segment,
  createdBy: createdBy?.name,
});

/** The first start creates one project and some context fields, with its own date. */
const projectFacts = ({ ours: _, createdAt: __, ...project }: Own['projects'][number]) => project;
const fieldFacts = ({ createdAt, project: _, ...field }: Own['contextFields'][number]) => ({
  ...field,
  ...(['region', 'plan', 'age', 'shopId'].includes(field.name) && { createdAt }),
});

/** The imported installations. Only the last tests change them. */
const imported = new Map<string, { place: TestInstallation; server: Replay }>();

const importedFrom = (version: string) => {
  const found = imported.get(version);
  if (!found) throw new Error(`Nothing has been imported from ${version}`);
  return found;
};

describe.each(['6.6', '8.2'])('an import from Unleash %s', (version) => {
  let place: TestInstallation;
  let server: Replay;
  let brought: Awaited<ReturnType<typeof importFrom>>;

  beforeAll(async () => {
    place = await emptyInstallation();
    server = await replay(version);
    brought = await importFrom(place, server.url);
    imported.set(version, { place, server });
  });

  test('imports everything once and unchanged, with only GET requests', async () => {
    const { theirs, report, links } = brought;
    expect(report.findings).toEqual([]);
    expect(links.sort()).toEqual(['ada@example.com', 'edit@example.com', 'grace']);
    const here = await own(place);
    // A version without links does not say whether there are any.
    const plain = ({ links: _, ...feature }: (typeof here.features)[number]) => feature;
    expect(here.features.map(plain)).toEqual(theirs.features.map(plain));
    expect(here.segments.map(nameless)).toEqual(theirs.segments.map(nameless));
    expect(here.projects.map(projectFacts)).toEqual(theirs.projects.map(projectFacts));
    expect(here.contextFields.map(fieldFacts)).toEqual(theirs.contextFields.map(fieldFacts));
    const feature = (name: string) => here.features.find((each) => each.name === name);
    expect(feature('finished')?.lifecycle).toMatchObject({ stage: 'completed', status: 'kept' });
    expect(feature('archived-one')?.archivedAt).toEqual(expect.any(String));
    const environments = ['development'];
    expect(here.applications).toMatchObject([
      {
        name: 'checkout',
        usage: [{ project: '*', environments }],
        features: [
          { name: 'plain-01', environments },
          { name: 'plain-04', environments },
        ],
      },
      { name: 'shop', icon: 'cart', usage: [], features: [] },
    ]);
    expect(await favorites(place)).toEqual([
      ['ada@example.com', 'default'],
      ['ada@example.com', 'plain-01'],
    ]);
    expect(here.integrations).toMatchObject([{ provider: 'webhook', enabled: false }]);
    const tokens = await place.db.selectFrom('api_tokens').selectAll().execute();
    for (const { name, type, createdAt, secret } of theirs.tokens) {
      const token = tokens.find(({ secret_hash }) => secret_hash.equals(hashSecret(secret ?? '')));
      expect(token).toMatchObject({ name, type, revoked_at: null });
      expect(token?.created_at.toISOString()).toBe(createdAt);
      // Secrets of admin tokens are never shown again.
      expect(token?.sealed_secret === null).toBe(type === 'admin');
    }
    expect(server.requests.every((request) => request.startsWith('GET '))).toBe(true);
    // The log contains neither their secrets nor masks.
    const { rows } = await sql<{ text: string }>`
      select string_agg(data::text, '') as text from events`.execute(place.db);
    for (const { secret } of theirs.tokens) expect(rows[0]?.text).not.toContain(secret);

    const events = await countEvents(place);
    const again = await importFrom(place, server.url);
    expect(again.report).toMatchObject({ done: 0, events: 0, findings: [] });
    expect(await countEvents(place)).toBe(events);
  });

  test('imports the event log first, with times, authors and origin, in a valid hash chain', async () => {
    const { theirs } = brought;
    const page = server.recording.responses['/api/admin/search/events?limit=1000&offset=0'] as {
      events: { id: number; type: string; createdAt: string; createdBy: string }[];
      total: number;
    };
    const { rows } = await sql<{
      type: string;
      at: Date;
      by: string;
      data: { importedId: number };
    }>`
      select type, created_at as at, created_by as by, data from events
      where data ->> 'importedId' is not null order by id`.execute(place.db);
    const there = page.events.toSorted((a, b) => a.id - b.id);
    expect(rows).toHaveLength(page.total);
    expect(rows.map(({ at, by, data }) => [at.toISOString(), by, data.importedId])).toEqual(
      there.map(({ id, createdAt, createdBy }) => [createdAt, createdBy, id]),
    );
    const { rows: first } = await sql<{ type: string; origin: string }>`
      select type, data ->> 'importedFrom' as origin from events order by id limit 1`.execute(
      place.db,
    );
    expect(first).toEqual([{ type: there[0]?.type, origin: server.url }]);
    const { rows: made } = await sql<{ type: string }>`
      select distinct type from events where data ->> 'importedAs' is not null
      order by type`.execute(place.db);
    expect(made.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['feature-import', 'project-import', 'segment-import']),
    );
    expect(made.map(({ type }) => type)).not.toContain('feature-created');
    expect(theirs.features.length).toBeGreaterThan(25);
    const snapshot = createReadSnapshot(place.db);
    await expect(snapshot((db) => verifyLog(db))).resolves.toMatchObject({});
  });

  test('keeps all results: SDKs decide the same in 1,000 contexts', async () => {
    const tokens = Object.entries(server.recording.client);
    expect(tokens.length).toBeGreaterThan(1);
    for (const [secret, { environment }] of tokens) {
      const client = createReadingClient({
        ...{ url: server.url, token: secret },
        ...{ concurrency: 1, rate: 100 },
      });
      const there = await readTheirDefinition(client, environment);
      const here = await readOwnDefinition(place.db, environment);
      const bounds = { count: 1000, now: new Date() };
      const same = compareDefinitions(environment, there, here, bounds);
      expect(same.differences).toEqual([]);
      // The comparison notices another group.
      const text = JSON.stringify(here).replaceAll('"groupId":"', '"groupId":"other-');
      const other = compareDefinitions(environment, there, JSON.parse(text), bounds);
      if (environment === 'development') expect(other.differences.length).toBeGreaterThan(5);
    }
  });
});

test('an import from a version without GET search finds the same events', async () => {
  const { place: other } = importedFrom('6.6');
  const place = await emptyInstallation();
  const server = await replay('6.6', { asVersion5: true });
  const { report } = await importFrom(place, server.url);
  expect(report.findings).toEqual([]);
  const past = async ({ db }: TestInstallation) => {
    const { rows } = await sql`
      select type, created_at, data ->> 'importedId' as id from events
      where data ->> 'importedId' is not null order by events.id`.execute(db);
    return rows;
  };
  expect(await past(place)).toEqual(await past(other));
  const changing = server.requests.filter((request) => !request.startsWith('GET '));
  expect(new Set(changing)).toEqual(new Set(['POST /api/admin/events/search']));
});

test('an import that is interrupted anywhere continues, with the same result', async () => {
  const { server, place: whole } = importedFrom('6.6');
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

test('of two concurrent imports, the second one waits, and no event is imported twice', async () => {
  const { server, place: whole } = importedFrom('6.6');
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
    expect(output).toContain('Waiting for another import that is under way.');
    expect(output).toContain('created or changed 0 objects');
    expect(code).toBe(0);
  });
});

test('a plan lists what is skipped, with a code and advice', async () => {
  const { db, connection } = await testDatabase();
  const place = { db, transact: transactOn(db), url: urlOf(connection) };
  const { server } = importedFrom('6.6');
  const client = createReadingClient({
    ...{ url: server.url, token: adminToken },
    ...{ concurrency: 8, rate: 1000 },
  });
  const theirs = await readUnleash(client, () => undefined, new Date());
  const [token] = theirs.tokens;
  const [feature] = theirs.features;
  const [state] = feature?.environments ?? [];
  const [strategy] = state?.strategies ?? [];
  if (!token || !feature || !state || !strategy) throw new Error('The recording is too short');
  const large = {
    contextName: 'userId',
    operator: 'REGEX' as const,
    value: '(?=a)b',
    ...{ values: [], inverted: false, caseInsensitive: false },
  };
  const plan = await planFrom(
    place.db,
    {
      ...theirs,
      environments: [
        ...theirs.environments,
        { name: 'eu.production', type: 'production', enabled: true, sortOrder: 9 },
      ],
      tokens: [{ ...token, secret: null }],
      features: [
        {
          ...feature,
          environments: [{ ...state, strategies: [{ ...strategy, constraints: [large] }] }],
        },
      ],
    },
    server.url,
  );
  const codes = plan.findings.map(({ code }) => code);
  expect(codes).toEqual(
    expect.arrayContaining([
      'ENVIRONMENT_WITH_DOT',
      'PATTERN_BEYOND_RE2',
      'TOKEN_SECRET_HIDDEN',
      'INTEGRATION_OFF',
    ]),
  );
  expect(planText(plan)).toContain("1 environment: 'eu.production'");
  expect(planJson(plan).skipped).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'environment', name: 'eu.production' }),
      expect.objectContaining({ kind: 'token', name: token.name }),
    ]),
  );
  expect(await own(place)).toMatchObject({ features: [] });
});

test('the plan of a document names Burgee and expects no event log', async () => {
  const place = await emptyInstallation();
  await place.transact({ ...systemActor, id: -2000 }, (tx) =>
    createProject(tx, { id: 'own', name: 'Own' }),
  );
  const { server } = importedFrom('6.6');
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

test('a wrong URL, token or version is rejected with a clear message', async () => {
  const { server } = importedFrom('6.6');
  const read = (url: string, token: string) => {
    const bounds = { concurrency: 1, rate: 100, pausesMs: [] };
    return readUnleash(createReadingClient({ url, token, ...bounds }), () => undefined, new Date());
  };
  await expect(read(server.url, 'wrong')).rejects.toThrow('does not know the token');
  await expect(read('http://127.0.0.1:1', adminToken)).rejects.toThrow('cannot be reached');
  expect(() => createReadingClient({ url: 'nothing', token: '', concurrency: 1, rate: 1 })).toThrow(
    'is no address',
  );
  // A server that is not Unleash gets no POST request, although version 5 needs one.
  const methods: (string | undefined)[] = [];
  const other = createServer((request, response) => {
    methods.push(request.method);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  closeLater(() => new Promise<void>((resolve) => other.close(() => resolve())));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const client = createReadingClient({ url, token: adminToken, concurrency: 1, rate: 100 });
  const sync = createSync(
    client,
    () => () => undefined,
    () => new Date(),
  );
  await expect(sync.look()).rejects.toThrow('Is --url the address of Unleash');
  expect(new Set(methods)).toEqual(new Set(['GET']));
});

test('an exported document creates the same installation elsewhere, once', async () => {
  const { place, server } = importedFrom('6.6');
  const { tokens } = server.recording.responses['/api/admin/api-tokens'] as {
    tokens: { secret: string }[];
  };
  const folder = mkdtempSync(join(tmpdir(), 'burgee-export-'));
  const exported = async (from: TestInstallation, name: string) => {
    const file = join(folder, name);
    expect(await command(from, 'export', file)).toMatchObject({
      ...{ code: 0, stdout: expect.stringMatching(/^Wrote \d+ features to .*\.json\.\n$/) },
    });
    const text = readFileSync(file, 'utf8');
    for (const { secret } of tokens) expect(text).not.toContain(secret);
    const { source: _, ...document } = JSON.parse(text) as Own;
    return {
      ...document,
      // What the first start creates has its date.
      projects: document.projects.map(({ createdAt: __, ...project }) => project),
      contextFields: document.contextFields.map(({ createdAt: __, ...field }) => field),
      accounts: document.accounts.map(({ createdAt, ...account }) => ({
        ...account,
        ...(account.username !== 'admin' && { createdAt }),
      })),
    };
  };
  const first = await exported(place, 'first.json');
  const other = await emptyInstallation();
  const file = join(folder, 'first.json');
  // Its own tokens exist already, although the document does not contain their secrets.
  const itself = await command(place, 'import', '--plan', file);
  expect(itself.stdout).not.toContain('TOKEN_SECRET_HIDDEN');
  const elsewhere = await command(other, 'import', file);
  expect(elsewhere).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('TOKEN_SECRET_HIDDEN'),
  });
  // The document contains no token secrets, and integrations are imported disabled.
  expect(await exported(other, 'second.json')).toEqual({ ...first, tokens: [] });
  const events = await countEvents(other);
  const { stdout } = await command(other, 'import', file);
  expect(stdout).toContain('created or changed 0 objects');
  expect(await countEvents(other)).toBe(events);
});

test('an archived project is imported with its access, and settings that only Burgee has are imported too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-export-'));
  const { server } = importedFrom('6.6');
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

test('--follow imports changes, archives what was deleted, delivers no history, and ends with the cut-over', async () => {
  const { place, server } = importedFrom('8.2');
  const { responses, client } = server.recording;
  const source = ['import', 'unleash', '--url', server.url, '--rate', '1000'];
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
    server.requests.filter((each) => each.endsWith('/search/events?limit=1&offset=0'));
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
  for (const each of strategies) each.description = 'Described anew';
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
  const before = server.requests.length;
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
  const read = server.requests.slice(before).filter((each) => each.includes('variantEnvironments'));
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
  expect(cutOver.output).toContain('created or changed 0 objects');
  expect(cutOver.output).toContain('0 differences');
  expect(cutOver.output).toContain('Cut over. Point SDKs to Burgee');
  expect(cutOver.code).toBe(0);
  const { strategyTypes } = await own(place);
  expect(strategyTypes).toMatchObject([{ description: 'Described anew' }]);
  const { output, code } = await following;
  // The exit code is that of the last state.
  expect(output).toContain('REFUSED');
  expect(code).toBe(0);
  expect(output).toContain('Imported 10 events, and created or changed 9 objects');
  expect(output).toContain('DELETED_IN_SOURCE');
  expect(output).toContain("1 feature: 'plain-19'");
  expect(output).toContain('Trying again in 1 s.');
  expect(output).toContain('Nothing is followed any more');

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
