import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { askedDuring } from '../../../../../test/support/locks.ts';
import { person } from '../../../../../test/support/people.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';
import {
  askWith,
  cookieOf,
  goodPassword,
  logIn,
  newcomer,
  setsCookie,
} from '../../../../../test/support/visitor.ts';
import { writeSetting } from '../../settings/index.ts';
import { hashPassword, setPassword, verifyPassword } from '../../users/index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const sessions = '/api/admin/user/sessions';

const rawCookie = (response: { headers: Record<string, unknown> }) =>
  [response.headers['set-cookie']].flat().join('\n');

describe('signing in with a password', () => {
  test('returns the user, sets a valid session cookie and records no event', async () => {
    const before = await countEvents(app.db);
    const ada = await newcomer(app, { username: 'ada', email: 'ada@example.com' });
    const response = await logIn(app, { username: 'ada', password: ada.password });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      id: ada.id,
      name: expect.any(String),
      username: 'ada',
      email: 'ada@example.com',
      imageUrl: `http://localhost:4242/avatars/${ada.id}.svg`,
      rootRole: 3,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      accountType: 'User',
      isAPI: false,
    });
    expect((await askWith(app, cookieOf(response), `GET ${sessions}`)).statusCode).toBe(200);
    // Only the new account was recorded. A log-in is not an event.
    expect(await countEvents(app.db)).toBe(before + 1);
  });

  test('accepts email or username, ignoring case', async () => {
    await newcomer(app, { username: 'Grace', email: 'Grace@Example.com' });
    for (const username of ['grace', 'GRACE', 'grace@example.com', 'GRACE@EXAMPLE.COM']) {
      const response = await logIn(app, { username, password: goodPassword });
      expect([username, response.statusCode]).toEqual([username, 200]);
    }
  });

  test('sets an HttpOnly cookie with SameSite=Lax and without a domain', async () => {
    const { username, password } = await newcomer(app);
    const cookie = rawCookie(await logIn(app, { username, password }));
    expect(cookie).toMatch(/^burgee-session=[0-9a-f]{56}; /);
    expect(cookie).toContain('; HttpOnly');
    expect(cookie).toContain('; SameSite=Lax');
    expect(cookie).toContain('; Path=/');
    expect(cookie).toMatch(/; Expires=/);
    expect(cookie).not.toContain('; Secure');
    expect(cookie).not.toContain('Domain=');
  });

  test('sets a Secure cookie if BASE_URL is HTTPS or a trusted proxy forwards HTTPS', async () => {
    const { username, password } = await newcomer(app);
    const behind = await appOn(app, { config: { baseUrl: 'https://flags.example.com' } });
    const own = rawCookie(await logIn(behind, { username, password }));
    expect(own).toContain('; Secure');
    // Browsers accept this name only from our host, so that another host of the domain cannot set it.
    expect(own).toMatch(/^__Host-burgee-session=[0-9a-f]{56}; /);
    const [pair = '', secret = ''] = /^[^=]+=([0-9a-f]+)/.exec(own) ?? [];
    expect((await askWith(behind, pair, `GET ${sessions}`)).statusCode).toBe(200);
    const planted = await askWith(behind, `burgee-session=${secret}`, `GET ${sessions}`);
    expect(planted.statusCode).toBe(401);

    const headers = { 'x-forwarded-proto': 'https' };
    const proxied = await appOn(app, { config: { trustedProxies: ['10.77.0.1'] } });
    const trusted = await logIn(proxied, { username, password }, { from: '10.77.0.1', headers });
    expect(rawCookie(trusted)).toContain('; Secure');
    const untrusted = await logIn(proxied, { username, password }, { headers });
    expect(rawCookie(untrusted)).not.toContain('; Secure');
  });

  test('stores the session secret as a hash and never returns it in a body', async () => {
    const { username, password } = await newcomer(app);
    const response = await logIn(app, { username, password });
    const secret = cookieOf(response).split('=')[1] as string;
    expect(response.body).not.toContain(secret);
    const stored = await app.db.selectFrom('sessions').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(secret);
    const list = await askWith(app, cookieOf(response), `GET ${sessions}`);
    expect(list.body).not.toContain(secret);
  });

  test('works during maintenance', async () => {
    const { username, password } = await newcomer(app);
    const closed = await testApp();
    await newcomer(closed, { username, password });
    await closed.transact(testActor, (tx) =>
      writeSetting(tx, 'maintenance.mode', { enabled: true }),
    );
    expect((await logIn(closed, { username, password })).statusCode).toBe(200);
  });
});

describe('session fixation', () => {
  test('fails because signing in creates a new session and ends the one of the request', async () => {
    const attacker = await newcomer(app);
    const victim = await newcomer(app);
    const planted = cookieOf(await logIn(app, attacker));
    const response = await logIn(app, victim, { headers: { cookie: planted } });
    expect(response.statusCode).toBe(200);
    expect(cookieOf(response)).not.toBe(planted);
    expect((await askWith(app, planted, `GET ${sessions}`)).statusCode).toBe(401);
    expect((await askWith(app, cookieOf(response), `GET ${sessions}`)).statusCode).toBe(200);
  });

  test('fails for a forged session cookie', async () => {
    const { username, password } = await newcomer(app);
    const cookie = 'burgee-session=chosen-by-the-attacker';
    const response = await logIn(app, { username, password }, { headers: { cookie } });
    expect(cookieOf(response)).not.toBe(cookie);
    expect((await askWith(app, cookie, `GET ${sessions}`)).statusCode).toBe(401);
  });

  test('cannot end a session: a wrong password keeps the session of the request', async () => {
    const somebody = await newcomer(app);
    const cookie = cookieOf(await logIn(app, somebody));
    await logIn(app, { ...somebody, password: 'wrong' }, { headers: { cookie } });
    expect((await askWith(app, cookie, `GET ${sessions}`)).statusCode).toBe(200);
  });
});

describe('a failed sign-in gets the same response', () => {
  const refusal = {
    id: expect.any(String),
    name: 'AuthenticationRequired',
    message: 'Wrong username or password',
    details: [{ message: 'Wrong username or password' }],
  };

  async function refused(payload: object, server = app) {
    const response = await logIn(server, payload);
    expect([response.statusCode, response.json()]).toEqual([401, refusal]);
    expect(setsCookie(response)).toBe(false);
  }

  test('for an unknown username and a wrong or empty password', async () => {
    const { username, password } = await newcomer(app);
    await refused({ username: 'nobody-at-all', password });
    await refused({ username, password: 'something else' });
    await refused({ username, password: '' });
    await refused({ username: '', password });
    await refused({ username, password: password.toUpperCase() });
  });

  test('for a user without a password and a service account', async () => {
    const { name } = await person(app);
    await refused({ username: name, password: goodPassword });
    const machine = await person(app, { kind: 'service account' });
    const { username, password } = await newcomer(app);
    const { password_hash } = await app.db
      .selectFrom('users')
      .where('username', '=', username)
      .select('password_hash')
      .executeTakeFirstOrThrow();
    await app.db.updateTable('users').set({ password_hash }).where('id', '=', machine.id).execute();
    await refused({ username: machine.name, password });
  });

  test('for a deleted user', async () => {
    const { id, username, password } = await newcomer(app);
    await app.db
      .updateTable('users')
      .set({ deleted_at: new Date() })
      .where('id', '=', id)
      .execute();
    await refused({ username, password });
  });

  test('for every user if password sign-in is disabled', async () => {
    const off = await testApp();
    const { username, password } = await newcomer(off);
    await off.transact(testActor, (tx) =>
      writeSetting(tx, 'unleash.auth.simple', { disabled: true }),
    );
    await refused({ username, password }, off);
    await refused({ username: 'nobody', password }, off);
    const providers = await off.app.inject('/auth/providers');
    expect(providers.json()).toEqual({
      password: false,
      oidc: false,
      resetByEmail: false,
      firstSignIn: false,
    });
    const refusal = await off.app.inject('/api/admin/user');
    expect(refusal.json()).toMatchObject({ type: 'password', defaultHidden: true });
    expect(refusal.json()).not.toHaveProperty('options');
  });

  test('after a password comparison, even for an unknown username', async () => {
    const { username } = await newcomer(app);
    let isFull = true;
    // Fills all slots for comparing and waiting, and refills each at once, so further requests are rejected.
    const line = Array.from({ length: 63 }, async () => {
      while (isFull) await verifyPassword(null, 'x');
    });
    const statuses = await Promise.all(
      [username, 'nobody'].map(async (name) => {
        const response = await logIn(app, { username: name, password: 'not the password' });
        return response.statusCode;
      }),
    );
    isFull = false;
    await Promise.all(line);
    expect(statuses).toEqual([503, 503]);
  });
});

describe('an invalid sign-in request', () => {
  test.each([
    [{}, ['/body/username', '/body/password']],
    [{ username: 1, password: null }, ['/body/username', '/body/password']],
    [
      { username: 'x'.repeat(400), password: 'y'.repeat(2000) },
      ['/body/username', '/body/password'],
    ],
    [{ username: 'a\0b', password: 'x' }, ['/body/username']],
    [[], ['/body']],
  ])('gets all errors without repeating the password (%#)', async (payload, paths) => {
    const response = await logIn(app, payload);
    expect(response.statusCode).toBe(400);
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect(response.body).not.toContain('yyy');
  });

  test('gets 415 if it is a form, because only JSON is protected from cross-site requests', async () => {
    const response = await app.app.inject({
      method: 'POST',
      url: '/auth/simple/login',
      payload: 'username=ada&password=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(response.statusCode).toBe(415);
  });

  test('cannot inject headers with line breaks in the username or user agent', async () => {
    const username = 'eve\r\nSet-Cookie: burgee-session=planted';
    const response = await logIn(app, { username, password: 'x' });
    expect(response.statusCode).toBe(401);
    expect(response.headers['set-cookie']).toBeUndefined();

    const somebody = await newcomer(app);
    const agent = 'Mozilla/5.0 <script>alert(1)</script>\u0085';
    const signedIn = await logIn(app, somebody, { headers: { 'user-agent': agent.repeat(20) } });
    expect(signedIn.statusCode).toBe(200);
    const list = await askWith(app, cookieOf(signedIn), `GET ${sessions}`);
    expect(list.json().sessions[0].userAgent).toHaveLength(300);
    expect(list.headers['content-type']).toContain('application/json');
  });

  test("gets 403 from another site's page, which could sign a visitor in as another user", async () => {
    const somebody = await newcomer(app);
    const foreign = await logIn(app, somebody, { headers: { origin: 'https://evil.example' } });
    expect([foreign.statusCode, foreign.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(setsCookie(foreign)).toBe(false);
    const unnamed = await logIn(app, somebody, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(unnamed.statusCode).toBe(403);
    const own = await logIn(app, somebody, { headers: { origin: 'http://localhost:4242' } });
    expect(own.statusCode).toBe(200);
  });
});

test('a sign-in fails if the password is changed during the comparison', async () => {
  const somebody = await newcomer(app);
  const other = await hashPassword('quiet river stones');
  // The former password is still stored for others and verified successfully.
  const { waited, response } = await askedDuring(
    app,
    (tx) => setPassword(tx, somebody.id, other),
    () => logIn(app, somebody),
  );
  expect([waited, response.statusCode]).toEqual([true, 401]);
  const active = app.db.selectFrom('sessions').where('user_id', '=', somebody.id).select('id');
  expect(await active.execute()).toEqual([]);
});
