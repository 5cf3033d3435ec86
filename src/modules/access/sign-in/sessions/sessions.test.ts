import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import { person } from '../../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import { clientToken } from '../../../../../test/support/tokens.ts';
import { askWith, cookieOf, logIn, newcomer } from '../../../../../test/support/visitor.ts';

/** A busy machine takes longer than the default of one second. */
const patience = { timeout: 60_000 };

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const own = '/api/admin/user/sessions';
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A user with this many sessions. */
async function signedIn(count: number) {
  const somebody = await newcomer(app);
  const cookies: string[] = [];
  for (let round = 0; round < count; round += 1) {
    const headers = { 'user-agent': `Browser ${round}` };
    cookies.push(cookieOf(await logIn(app, somebody, { from: `192.0.2.${round}`, headers })));
  }
  return { ...somebody, cookies: cookies as [string, string, ...string[]] };
}

const listed = async (cookie: string) =>
  (await askWith(app, cookie, `GET ${own}`)).json().sessions as {
    id: string;
    userAgent: string;
    current: boolean;
  }[];
const statusWith = async (cookie: string) => (await askWith(app, cookie, `GET ${own}`)).statusCode;
const currentOf = async (cookie: string) =>
  (await listed(cookie)).find(({ current }) => current)?.id as string;

describe("the user's own sessions", () => {
  test('are listed, with the current one marked', async () => {
    const { cookies } = await signedIn(2);
    const sessions = await listed(cookies[1]);
    expect(sessions).toHaveLength(2);
    expect(sessions).toContainEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.stringMatching(instant),
      seenAt: expect.stringMatching(instant),
      expiresAt: expect.stringMatching(instant),
      ip: '192.0.2.1',
      userAgent: 'Browser 1',
      current: true,
    });
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
  });

  test('can be ended individually, on every instance', async () => {
    const { cookies } = await signedIn(2);
    const other = await appOn(app);
    expect((await askWith(other, cookies[0], `GET ${own}`)).statusCode).toBe(200);
    const id = await currentOf(cookies[0]);
    const response = await askWith(app, cookies[1], `DELETE ${own}/${id}`);
    expect([response.statusCode, response.cookies]).toEqual([200, []]);
    expect(await statusWith(cookies[0])).toBe(401);
    await expect
      .poll(async () => (await askWith(other, cookies[0], `GET ${own}`)).statusCode, patience)
      .toBe(401);
    expect(await listed(cookies[1])).toHaveLength(1);
  });

  test('clear the cookie when the current one is ended', async () => {
    const { cookies } = await signedIn(1);
    const id = await currentOf(cookies[0]);
    const response = await askWith(app, cookies[0], `DELETE ${own}/${id}`);
    expect(response.cookies).toMatchObject([{ name: 'burgee-session', value: '' }]);
    expect(await statusWith(cookies[0])).toBe(401);
  });

  test('can all be ended except the current one', async () => {
    const { cookies } = await signedIn(3);
    expect((await askWith(app, cookies[0], `DELETE ${own}`)).statusCode).toBe(200);
    expect(await Promise.all(cookies.map(statusWith))).toEqual([200, 401, 401]);
  });

  test('do not include those of other users (404); malformed ids get 400', async () => {
    const [one, other] = [await signedIn(1), await signedIn(1)];
    const id = await currentOf(other.cookies[0]);
    const refused = await askWith(app, one.cookies[0], `DELETE ${own}/${id}`);
    expect([refused.statusCode, refused.json().name]).toEqual([404, 'NotFoundError']);
    expect(await statusWith(other.cookies[0])).toBe(200);

    await askWith(app, other.cookies[0], `DELETE ${own}/${id}`);
    const again = await askWith(app, one.cookies[0], `DELETE ${own}/${id}`);
    expect(again.statusCode).toBe(404);
    for (const text of ['no-uuid', `urn:uuid:${id}`]) {
      const malformed = await askWith(app, one.cookies[0], `DELETE ${own}/${text}`);
      expect([malformed.statusCode, malformed.json().name]).toEqual([400, 'BadDataError']);
    }
  });

  test('can be managed with a personal token but not with an API token', async () => {
    const somebody = await person(app);
    expect((await somebody.ask(`GET ${own}`)).json()).toEqual({ sessions: [] });
    expect((await somebody.ask(`DELETE ${own}`)).statusCode).toBe(200);
    for (const request of [`GET ${own}`, `DELETE ${own}`] as const) {
      const refused = await app.ask(request);
      expect([refused.statusCode, refused.json().name]).toEqual([403, 'InvalidOperationError']);
    }
    const client = await app.ask(`GET ${own}`, { headers: { authorization: clientToken } });
    expect(client.statusCode).toBe(403);
    expect((await app.app.inject(own)).statusCode).toBe(401);
  });
});

test('a user has at most 50 sessions: the next sign-in ends the oldest on every instance', async () => {
  const { cookies, id, username, password } = await signedIn(2);
  const other = await appOn(app);
  expect((await askWith(other, cookies[0], `GET ${own}`)).statusCode).toBe(200);
  await sql`
    insert into sessions (id, user_id, secret_hash, arrived, rotated_at, created_at, seen_at, expires_at)
    select gen_random_uuid(), user_id, sha256(nth::text::bytea), true, rotated_at, created_at, seen_at, expires_at
    from (select * from sessions where user_id = ${id} order by created_at desc limit 1) newest,
      generate_series(1, 48) nth`.execute(app.db);
  expect(await Promise.all(cookies.map(statusWith))).toEqual([200, 200]);
  const last = cookieOf(await logIn(app, { username, password }));
  expect(await listed(last)).toHaveLength(50);
  expect(await Promise.all([...cookies, last].map(statusWith))).toEqual([401, 200, 200]);
  const onOther = async () => (await askWith(other, cookies[0], `GET ${own}`)).statusCode;
  await expect.poll(onOther, patience).toBe(401);
});

describe('the sessions of another user', () => {
  const sessionsPath = (id: number | string) => `/api/admin/user-admin/${id}/sessions`;

  test('can be listed and ended by an administrator', async () => {
    const { id, cookies } = await signedIn(3);
    const { sessions } = (await app.ask(`GET ${sessionsPath(id)}`)).json();
    expect(sessions).toHaveLength(3);
    expect(sessions.some(({ current }: { current: boolean }) => current)).toBe(false);
    const first = await currentOf(cookies[0]);
    expect((await app.ask(`DELETE ${sessionsPath(id)}/${first}`)).statusCode).toBe(200);
    expect(await Promise.all(cookies.map(statusWith))).toEqual([401, 200, 200]);
    expect((await app.ask(`DELETE ${sessionsPath(id)}`)).statusCode).toBe(200);
    expect(await Promise.all(cookies.map(statusWith))).toEqual([401, 401, 401]);
    expect((await app.ask(`GET ${sessionsPath(id)}`)).json()).toEqual({ sessions: [] });
  });

  test('record an event when an administrator ends them', async () => {
    const { id, username, cookies } = await signedIn(3);
    const one = await app.ask(`DELETE ${sessionsPath(id)}/${await currentOf(cookies[0])}`);
    expect(await recordedBy(app.db, one)).toMatchObject([
      { type: 'user-updated', data: { id, username, endedSessions: 1 }, preData: { id, username } },
    ]);
    const rest = await app.ask(`DELETE ${sessionsPath(id)}`);
    expect(await recordedBy(app.db, rest)).toMatchObject([
      { type: 'user-updated', data: { id, endedSessions: 2 } },
    ]);
    const [event] = (await app.ask('GET /api/admin/search/events?limit=1')).json().events;
    const { name } = (await app.ask(`GET /api/admin/user-admin/${id}`)).json();
    expect(event.summary).toBe(`**admin** ended sessions of **${name}**`);
    // Nothing is left to end.
    const before = await countEvents(app.db);
    expect((await app.ask(`DELETE ${sessionsPath(id)}`)).statusCode).toBe(200);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('record nothing if an administrator ends their own', async () => {
    const administrator = await newcomer(app, { rootRole: 1 });
    const cookie = cookieOf(await logIn(app, administrator));
    const before = await countEvents(app.db);
    const ended = await askWith(app, cookie, `DELETE ${sessionsPath(administrator.id)}`);
    expect([ended.statusCode, await statusWith(cookie)]).toEqual([200, 401]);
    expect(await countEvents(app.db)).toBe(before);
  });

  test("cannot be ended under another user's id", async () => {
    const [one, other] = [await signedIn(1), await signedIn(1)];
    const id = await currentOf(one.cookies[0]);
    expect((await app.ask(`DELETE ${sessionsPath(other.id)}/${id}`)).statusCode).toBe(404);
    expect(await statusWith(one.cookies[0])).toBe(200);
  });

  test.each(['999999', '99999999999', '-1', 'x', '1.5'])('return 404 for user %s', async (id) => {
    for (const method of ['GET', 'DELETE'] as const) {
      const response = await app.ask(`${method} ${sessionsPath(id)}`);
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    }
  });

  test('require an administrator', async () => {
    const { id, cookies } = await signedIn(1);
    const editor = await person(app, { rootRole: 2 });
    const session = await currentOf(cookies[0]);
    for (const request of [
      `GET ${sessionsPath(id)}`,
      `DELETE ${sessionsPath(id)}`,
      `DELETE ${sessionsPath(id)}/${session}`,
    ] as const) {
      const refused = await editor.ask(request);
      expect([refused.statusCode, refused.json().name]).toEqual([403, 'NoAccessError']);
    }
    expect(await statusWith(cookies[0])).toBe(200);
  });
});

describe('signing out', () => {
  test('ends this session, clears the cookie and redirects to the sign-in page', async () => {
    const { cookies } = await signedIn(2);
    const response = await askWith(app, cookies[0], 'POST /logout');
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toBe('/login');
    expect(response.cookies).toMatchObject([{ name: 'burgee-session', value: '', path: '/' }]);
    expect(await Promise.all(cookies.map(statusWith))).toEqual([401, 200]);
  });

  test('ends all sessions with all=true', async () => {
    const { cookies } = await signedIn(3);
    expect((await askWith(app, cookies[0], 'POST /logout?all=true')).statusCode).toBe(302);
    expect(await Promise.all(cookies.map(statusWith))).toEqual([401, 401, 401]);
    expect((await askWith(app, cookies[0], 'POST /logout?all=perhaps')).statusCode).toBe(400);
  });

  test('redirects without a session, and for concurrent requests', async () => {
    expect((await app.app.inject({ method: 'POST', url: '/logout' })).statusCode).toBe(302);
    const { cookies } = await signedIn(1);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => askWith(app, cookies[0], 'POST /logout')),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([302, 302, 302, 302]);
  });

  test('accepts a form, and redirects within the base path', async () => {
    const below = await appOn(app, { config: { baseUrl: 'https://example.com/flags' } });
    const response = await below.app.inject({
      method: 'POST',
      url: '/logout',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([response.statusCode, response.headers.location]).toEqual([302, '/flags/login']);
  });

  test('is not possible with GET, so that no link or image can do it', async () => {
    const { cookies } = await signedIn(1);
    expect((await askWith(app, cookies[0], 'GET /logout')).statusCode).toBe(404);
    expect(await statusWith(cookies[0])).toBe(200);
  });
});
