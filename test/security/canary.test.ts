import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { appOn, type TestApp } from '../support/app.ts';
import { testDatabase } from '../support/database.ts';
import { adminToken } from '../support/tokens.ts';

/** All that the server wrote into its log, at its most talkative. */
const lines: string[] = [];
let on: TestApp;
let dump: () => Promise<string>;

beforeAll(async () => {
  const database = await testDatabase();
  on = await appOn(database, {
    log: createLogger('trace', { write: (line: string) => void lines.push(line) }),
  });
  // Every row of every table, as text: bytes too, should a secret have been stored as they are.
  dump = async () => {
    const { rows: tables } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public'`.execute(on.db);
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`
        select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(on.db);
      texts.push(...rows.map(({ row }) => row));
    }
    return texts.join('\n');
  };
});

const password = 'Canary-in-a-coal-mine-77';
const other = 'Another-canary-in-a-mine-88';

/** Every secret that was planted, or shown once by the answer that made it. */
const secrets = new Set<string>([password, other, 'oidc-client-canary-secret']);
const answers: string[] = [];

type Line = Parameters<TestApp['ask']>[0];

async function ask(line: Line, payload?: object, headers: Record<string, string> = {}) {
  const response = await on.ask(line, { ...(payload && { payload }), headers });
  expect(response.statusCode, `${line}: ${response.body}`).toBeLessThan(400);
  answers.push(`${JSON.stringify(response.headers)}\n${response.body}`);
  return response;
}

/** An answer that shows a secret, which is right once. */
async function secretOf(
  line: Line,
  payload: object,
  find: (body: Record<string, string>) => string | undefined,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await on.ask(line, { payload, headers });
  expect(response.statusCode, `${line}: ${response.body}`).toBeLessThan(400);
  const secret = find(response.json());
  if (!secret) throw new Error(`${line} showed no secret: ${response.body}`);
  secrets.add(secret);
  return secret;
}

/** A request with a secret in the wrong place: its answer and its log line say nothing of it. */
async function refusedWith(line: Line, payload: object): Promise<void> {
  const response = await on.ask(line, { payload });
  expect(response.statusCode, `${line}: ${response.body}`).toBeGreaterThanOrEqual(400);
  expect(response.statusCode, `${line}: ${response.body}`).toBeLessThan(500);
  answers.push(response.body);
}

const tokenIn = (url: string | undefined) => url?.split(/[=/]/).at(-1);
const soon = new Date(Date.now() + 86_400_000).toISOString();

test('no secret is in any later answer, log line, event, export or table', async () => {
  const invitation = await secretOf(
    'POST /api/admin/user-admin',
    { email: 'bird@example.com', name: 'Bird', rootRole: 1 },
    ({ inviteLink }) => tokenIn(inviteLink),
  );
  await ask('POST /auth/reset/password', { token: invitation, password });
  const login = await on.ask('POST /auth/simple/login', {
    payload: { username: 'bird@example.com', password },
    headers: { authorization: '' },
  });
  expect(login.statusCode, login.body).toBe(200);
  const [cookie] = login.cookies;
  if (!cookie) throw new Error('no cookie');
  for (const { value } of login.cookies) secrets.add(value);
  const person = { cookie: `${cookie.name}=${cookie.value}` };
  const asPerson = (line: Line, payload?: object) =>
    on.app
      .inject({
        method: line.split(' ')[0] as 'GET',
        url: line.split(' ')[1] as string,
        headers: person,
        ...(payload && { payload }),
      })
      .then((response) => {
        answers.push(response.body);
        return response;
      });
  const pat = await on.app.inject({
    method: 'POST',
    url: '/api/admin/user/tokens',
    headers: person,
    payload: { description: 'canary', expiresAt: soon },
  });
  expect(pat.statusCode, pat.body).toBe(201);
  secrets.add(pat.json().secret);
  const token = await secretOf(
    'POST /api/admin/api-tokens',
    { tokenName: 'canary', type: 'client', environment: 'development', projects: ['*'] },
    ({ secret }) => secret,
  );
  const link = await secretOf(
    'POST /api/admin/invite-link/tokens',
    { name: 'canary', expiresAt: soon },
    ({ secret }) => secret,
  );
  const [{ id }] = (await on.ask('GET /api/admin/user-admin/search?q=bird')).json();
  const reset = await secretOf(
    'POST /api/admin/user-admin/reset-password',
    { id },
    ({ resetPasswordUrl }) => tokenIn(resetPasswordUrl),
  );
  const { id: account } = (
    await ask('POST /api/admin/service-account', { username: 'robot', name: 'Robot', rootRole: 3 })
  ).json();
  await secretOf(
    `POST /api/admin/service-account/${account}/token`,
    { description: 'canary', expiresAt: soon },
    ({ secret }) => secret,
  );
  await refusedWith('POST /api/admin/auth/oidc/settings', {
    secret: { text: 'oidc-client-canary-secret' },
  });
  await refusedWith('POST /auth/simple/login', { username: 7, password });
  await refusedWith('POST /auth/simple/login', [{ username: 'bird@example.com', password }]);
  await refusedWith('POST /auth/reset/password', { token: 'x', password: { text: other } });
  await refusedWith('POST /api/admin/user-admin', {
    email: 'x',
    password: [password],
    rootRole: 3,
  });
  await refusedWith(`PATCH /api/admin/api-tokens/${encodeURIComponent(token)}`, {});
  await ask('POST /api/admin/auth/oidc/settings', {
    enabled: false,
    discoverUrl: 'https://login.example.com/.well-known/openid-configuration',
    clientId: 'burgee',
    secret: 'oidc-client-canary-secret',
  });
  await ask('POST /auth/reset/password', { token: reset, password: other });
  await on.ask('POST /auth/simple/login', {
    payload: { username: 'bird@example.com', password },
    headers: { authorization: '' },
  });
  await ask(`PUT /api/admin/api-tokens/${encodeURIComponent(token)}`, { expiresAt: soon });
  await ask(`GET /invite/${link}/validate`);
  await ask(`DELETE /api/admin/api-tokens/${encodeURIComponent(token)}`);
  for (const path of [
    'user-admin',
    'user-admin/access',
    'api-tokens',
    'invite-link/tokens',
    'auth/oidc/settings',
    'auth/simple/settings',
    'ui-config',
    'user',
    'service-account',
    `service-account/${account}/token`,
    'groups',
    'roles',
    'search/events?limit=1000&queryIn=data,preData,tags',
    'events',
  ]) {
    await ask(`GET /api/admin/${path}`);
  }
  await asPerson('GET /api/admin/user/tokens');
  await asPerson('GET /api/admin/user/sessions');
  await ask('GET /api/admin/search/events', undefined, { accept: 'application/x-ndjson' });
  await ask('GET /api/admin/search/events', undefined, { accept: 'text/csv' });

  const stored = await dump();
  expect(stored).toContain('bird@example.com');
  const places = { answers: answers.join('\n'), log: lines.join(''), database: stored };
  expect(lines.length).toBeGreaterThan(10);
  for (const secret of [...secrets, adminToken]) {
    for (const [place, text] of Object.entries(places)) {
      // An admin token of the environment is sent with every request here, and yet nowhere repeated.
      expect(text.includes(secret), `a secret of ${secret.length} characters in the ${place}`).toBe(
        false,
      );
      const hex = Buffer.from(secret).toString('hex');
      expect(text.includes(hex), `the bytes of a secret in the ${place}`).toBe(false);
    }
  }
});
