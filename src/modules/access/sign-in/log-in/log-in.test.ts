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
  test('answers who it is, and sets a cookie that works', async () => {
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
    // Only the account was recorded. A log-in is no event.
    expect(await countEvents(app.db)).toBe(before + 1);
  });

  test('takes the address or the user name, in any case', async () => {
    await newcomer(app, { username: 'Grace', email: 'Grace@Example.com' });
    for (const username of ['grace', 'GRACE', 'grace@example.com', 'GRACE@EXAMPLE.COM']) {
      const response = await logIn(app, { username, password: goodPassword });
      expect([username, response.statusCode]).toEqual([username, 200]);
    }
  });

  test('the cookie is out of reach of scripts and other sites', async () => {
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

  test('the cookie is Secure behind TLS: by BASE_URL, or by the word of a trusted proxy', async () => {
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

  test('the secret is stored as a hash, and is in no response', async () => {
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

describe('a session that somebody else chose', () => {
  test('is not taken over: signing in makes a new one, and ends that of the request', async () => {
    const attacker = await newcomer(app);
    const victim = await newcomer(app);
    const planted = cookieOf(await logIn(app, attacker));
    const response = await logIn(app, victim, { headers: { cookie: planted } });
    expect(response.statusCode).toBe(200);
    expect(cookieOf(response)).not.toBe(planted);
    expect((await askWith(app, planted, `GET ${sessions}`)).statusCode).toBe(401);
    expect((await askWith(app, cookieOf(response), `GET ${sessions}`)).statusCode).toBe(200);
  });

  test('nor is a made-up one', async () => {
    const { username, password } = await newcomer(app);
    const cookie = 'burgee-session=chosen-by-the-attacker';
    const response = await logIn(app, { username, password }, { headers: { cookie } });
    expect(cookieOf(response)).not.toBe(cookie);
    expect((await askWith(app, cookie, `GET ${sessions}`)).statusCode).toBe(401);
  });

  test('a wrong password leaves the session of the request as it is', async () => {
    const somebody = await newcomer(app);
    const cookie = cookieOf(await logIn(app, somebody));
    await logIn(app, { ...somebody, password: 'wrong' }, { headers: { cookie } });
    expect((await askWith(app, cookie, `GET ${sessions}`)).statusCode).toBe(200);
  });
});

describe('whatever is wrong, the answer is the same', () => {
  const refusal = {
    id: expect.any(String),
    name: 'AuthenticationRequired',
    message: 'The user name or the password is wrong',
    details: [{ message: 'The user name or the password is wrong' }],
  };

  async function refused(payload: object, server = app) {
    const response = await logIn(server, payload);
    expect([response.statusCode, response.json()]).toEqual([401, refusal]);
    expect(setsCookie(response)).toBe(false);
  }

  test('an unknown name, a wrong password, an empty one', async () => {
    const { username, password } = await newcomer(app);
    await refused({ username: 'nobody-at-all', password });
    await refused({ username, password: 'something else' });
    await refused({ username, password: '' });
    await refused({ username: '', password });
    await refused({ username, password: password.toUpperCase() });
  });

  test('somebody who has no password yet, and a service account', async () => {
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

  test('somebody who was deleted', async () => {
    const { id, username, password } = await newcomer(app);
    await app.db
      .updateTable('users')
      .set({ deleted_at: new Date() })
      .where('id', '=', id)
      .execute();
    await refused({ username, password });
  });

  test('anybody, where passwords are switched off', async () => {
    const off = await testApp();
    const { username, password } = await newcomer(off);
    await off.transact(testActor, (tx) =>
      writeSetting(tx, 'unleash.auth.simple', { disabled: true }),
    );
    await refused({ username, password }, off);
    await refused({ username: 'nobody', password }, off);
    const providers = await off.app.inject('/auth/providers');
    expect(providers.json()).toEqual({ password: false, oidc: false });
    const refusal = await off.app.inject('/api/admin/user');
    expect(refusal.json()).toMatchObject({ type: 'password', defaultHidden: true });
    expect(refusal.json()).not.toHaveProperty('options');
  });

  test('and an unknown name waits for a comparison of passwords too', async () => {
    const { username } = await newcomer(app);
    let isFull = true;
    // As many as are computed and may wait, and each is followed at once by another. Further requests are refused.
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

describe('a request that is not a log-in', () => {
  test.each([
    [{}, ['/body/username', '/body/password']],
    [{ username: 1, password: null }, ['/body/username', '/body/password']],
    [
      { username: 'x'.repeat(400), password: 'y'.repeat(2000) },
      ['/body/username', '/body/password'],
    ],
    [{ username: 'a\0b', password: 'x' }, ['/body/username']],
    [[], ['/body']],
  ])('%# has all its faults reported, and no password repeated', async (payload, paths) => {
    const response = await logIn(app, payload);
    expect(response.statusCode).toBe(400);
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect(response.body).not.toContain('yyy');
  });

  test('a form is refused: only a page of ours sends JSON', async () => {
    const response = await app.app.inject({
      method: 'POST',
      url: '/auth/simple/login',
      payload: 'username=ada&password=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(response.statusCode).toBe(415);
  });

  test('line breaks in a name or a browser stay text: no header comes of them', async () => {
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

  test('a page of another site cannot sign a visitor in as somebody', async () => {
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

test('a password that is changed while it is compared opens nothing', async () => {
  const somebody = await newcomer(app);
  const other = await hashPassword('quiet river stones');
  // The former password is still stored for others and verified successfully.
  const { waited, response } = await askedDuring(
    app,
    (tx) => setPassword(tx, somebody.id, other),
    () => logIn(app, somebody),
  );
  expect([waited, response.statusCode]).toEqual([true, 401]);
  const living = app.db.selectFrom('sessions').where('user_id', '=', somebody.id).select('id');
  expect(await living.execute()).toEqual([]);
});
