import { beforeAll, expect, test } from 'vitest';
import { type Line, watchedApp } from './watched-app.ts';

const password = 'Canary-in-a-coal-mine-77';
const other = 'Another-canary-in-a-mine-88';

let watched: Awaited<ReturnType<typeof watchedApp>>;

beforeAll(async () => {
  watched = await watchedApp([password, other, 'oidc-client-canary-secret']);
});

const tokenIn = (url: string | undefined) => url?.split(/[=/]/).at(-1);
const soon = new Date(Date.now() + 86_400_000).toISOString();

test('no secret appears in any later response, log line, event, export or table', async () => {
  const { app, ask, secretOf, refusedWith, secrets, answers } = watched;
  const invitation = await secretOf(
    'POST /api/admin/user-admin',
    { email: 'bird@example.com', name: 'Bird', rootRole: 1 },
    ({ inviteLink }) => tokenIn(inviteLink),
  );
  await ask('POST /auth/reset/password', { token: invitation, password });
  const login = await app.ask('POST /auth/simple/login', {
    payload: { username: 'bird@example.com', password },
    headers: { authorization: '' },
  });
  expect(login.statusCode, login.body).toBe(200);
  const [cookie] = login.cookies;
  if (!cookie) throw new Error('no cookie');
  for (const { value } of login.cookies) secrets.add(value);
  const person = { cookie: `${cookie.name}=${cookie.value}` };
  const asPerson = (line: Line, payload?: object) =>
    app.app
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
  const pat = await app.app.inject({
    method: 'POST',
    url: '/api/admin/user/tokens',
    headers: person,
    payload: { description: 'canary', expiresAt: soon },
  });
  expect(pat.statusCode, pat.body).toBe(201);
  secrets.add(pat.json().secret);
  const calendar = await app.app.inject({
    method: 'POST',
    url: '/api/admin/user/calendar-tokens',
    headers: person,
    payload: {},
  });
  expect(calendar.statusCode, calendar.body).toBe(201);
  secrets.add(calendar.json().secret);
  await ask(`GET /api/admin/calendar.ics?token=${calendar.json().secret}`);
  await app.ask(`GET /api/admin/calendar.ics?token=${calendar.json().secret}x`);
  await asPerson('GET /api/admin/user/calendar-tokens');
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
  const [{ id }] = (await app.ask('GET /api/admin/user-admin/search?q=bird')).json();
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
  await app.ask('POST /auth/simple/login', {
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

  await watched.expectNoSecretAnywhere('bird@example.com');
});
