import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { transactOn } from '../../src/app/transact.ts';
import { verifyLog } from '../../src/modules/events/index.ts';
import {
  compareDefinitions,
  createReadingClient,
  createSync,
  planFrom,
  planJson,
  planText,
  readOwnDefinition,
  readTheirDefinition,
  readUnleash,
} from '../../src/modules/migration/index.ts';
import { createReadSnapshot } from '../../src/platform/db/database.ts';
import { hashSecret } from '../../src/platform/secret.ts';
import { closeLater } from '../support/closing.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { firstCases, randomCases } from '../support/random-cases.ts';
import {
  clientTokens,
  command,
  countEvents,
  emptyInstallation,
  favorites,
  importFrom,
  type OwnInstallation,
  own,
  projectFacts,
  type TestInstallation,
} from './installation.ts';
import { type Replay, replay } from './replay.ts';
import { adminToken } from './unleash.ts';

/** Ids differ between installations. Only Burgee knows whether a creator has an account. */
const nameless = ({ id: _, createdBy, ...segment }: OwnInstallation['segments'][number]) => ({
  ...segment,
  createdBy: createdBy?.name,
});

/** The first start creates some context fields, with its own date. */
const fieldFacts = ({
  createdAt,
  project: _,
  ...field
}: OwnInstallation['contextFields'][number]) => ({
  ...field,
  ...(['region', 'plan', 'age', 'shopId'].includes(field.name) && { createdAt }),
});

describe.each(firstCases(1, ['8.2', '6.6']))('an import from Unleash %s', (version) => {
  let place: TestInstallation;
  let server: Replay;
  let brought: Awaited<ReturnType<typeof importFrom>>;

  beforeAll(async () => {
    place = await emptyInstallation();
    server = await replay(version);
    brought = await importFrom(place, server.url);
  });

  test('copies everything once, with only GET requests', async () => {
    const { theirs, report, links } = brought;
    expect(report.findings).toEqual([]);
    expect(links.sort()).toEqual(['ada@example.com', 'edit@example.com', 'grace']);
    const here = await own(place);
    // A version without links does not say whether there are any. Unleash has no owners and expiry dates.
    const plain = ({
      links: _,
      owner: __,
      expiresAt: ___,
      ...feature
    }: (typeof here.features)[number]) => feature;
    expect(here.features.map(plain)).toEqual(theirs.features.map(plain));
    expect(here.segments.map(nameless)).toEqual(theirs.segments.map(nameless));
    expect(here.projects.map(projectFacts)).toEqual(theirs.projects.map(projectFacts));
    expect(here.contextFields.map(fieldFacts)).toEqual(theirs.contextFields.map(fieldFacts));
    const feature = (name: string) => here.features.find((each) => each.name === name);
    expect(feature('by-ada')?.owner).toEqual({ type: 'user', name: 'ada@example.com' });
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

  test('copies the event log first, with times, authors and origin, in a chain that verifies', async () => {
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

  test('changes no decision of an SDK, in random contexts', async () => {
    const tokens = Object.entries(server.recording.client);
    expect(tokens.length).toBeGreaterThan(1);
    for (const [secret, { environment }] of tokens) {
      const client = createReadingClient({
        ...{ url: server.url, token: secret },
        ...{ concurrency: 1, rate: 100 },
      });
      const there = await readTheirDefinition(client, environment);
      const here = await readOwnDefinition(place.db, environment);
      const bounds = { count: randomCases(30, 1_000).numRuns, now: new Date() };
      const same = compareDefinitions(environment, there, here, bounds);
      expect(same.differences).toEqual([]);
      // The comparison notices another group.
      const text = JSON.stringify(here).replaceAll('"groupId":"', '"groupId":"other-');
      const other = compareDefinitions(environment, there, JSON.parse(text), bounds);
      if (environment === 'development') expect(other.differences.length).toBeGreaterThan(5);
    }
  });

  test('can be exported to a document that creates the same installation elsewhere', async () => {
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
      const { source: _, ...document } = JSON.parse(text) as OwnInstallation;
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
    // Its own tokens are there already, although the document does not have their secrets.
    const itself = await command(place, 'import', '--plan', file);
    expect(itself.stdout).not.toContain('TOKEN_SECRET_HIDDEN');
    const elsewhere = await command(other, 'import', file);
    expect(elsewhere).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('TOKEN_SECRET_HIDDEN'),
    });
    // Tokens have no secrets in the document, and integrations come switched off.
    expect(await exported(other, 'second.json')).toEqual({ ...first, tokens: [] });
    const events = await countEvents(other);
    const { stdout } = await command(other, 'import', file);
    expect(stdout).toContain('0 resources created or updated');
    expect(await countEvents(other)).toBe(events);
  });

  test('ends with a cutover after SDKs were compared in every environment', async () => {
    const { code, output } = await command(
      place,
      ...['import', 'unleash', '--url', server.url, '--rate', '1000', '--cut-over'],
      ...clientTokens(server),
    );
    expect(output).toContain('0 resources created or updated');
    expect(output).toContain('0 differences');
    expect(output).toContain('Cutover complete. Point your SDKs to Burgee');
    expect(code).toBe(0);
  });
});

test('a plan names what is skipped, with codes', async () => {
  const { db, connection } = await testDatabase();
  const place = { db, transact: transactOn(db), url: urlOf(connection) };
  const server = await replay('8.2');
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

test('a wrong address or token is named, and a server that is not Unleash gets no POST request', async () => {
  const server = await replay('8.2');
  const read = (url: string, token: string) => {
    const bounds = { concurrency: 1, rate: 100, pausesMs: [] };
    return readUnleash(createReadingClient({ url, token, ...bounds }), () => undefined, new Date());
  };
  await expect(read(server.url, 'wrong')).rejects.toThrow('rejected the token');
  await expect(read('http://127.0.0.1:1', adminToken)).rejects.toThrow("Couldn't reach");
  expect(() => createReadingClient({ url: 'nothing', token: '', concurrency: 1, rate: 1 })).toThrow(
    "isn't a valid URL",
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
  await expect(sync.look()).rejects.toThrow('Is --url the URL of Unleash');
  expect(new Set(methods)).toEqual(new Set(['GET']));
});
