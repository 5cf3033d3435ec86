import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import {
  askWith,
  cookieOf,
  logIn,
  movableClock,
  newcomer,
  setsCookie,
} from '../../../../../test/support/visitor.ts';

const time = movableClock();
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: time.clock, config: { sessionTtlHours: 24, sessionIdleHours: 4 } });
});

const sessions = '/api/admin/user/sessions';
const use = (cookie: string, server = app) => askWith(server, cookie, `GET ${sessions}`);

const begin = async () => cookieOf(await logIn(app, await newcomer(app, { rootRole: 1 })));

/** Uses a session like a browser, with the cookie of the last response. */
async function browse(cookie: string): Promise<string> {
  const response = await use(cookie);
  expect(response.statusCode).toBe(200);
  return setsCookie(response) ? cookieOf(response) : cookie;
}

describe('a session ends', () => {
  test('when it was idle for four hours', async () => {
    let cookie = await begin();
    time.pass({ hours: 3, minutes: 58 });
    cookie = await browse(cookie);
    time.pass({ hours: 3, minutes: 58 });
    cookie = await browse(cookie);
    time.pass({ hours: 4 });
    expect((await use(cookie)).statusCode).toBe(401);
  });

  test('a day after the sign-in, even if it is used', async () => {
    let cookie = await begin();
    for (let hour = 0; hour < 23; hour += 1) {
      time.pass({ hours: 1 });
      cookie = await browse(cookie);
    }
    time.pass({ minutes: 59, seconds: 59 });
    cookie = await browse(cookie);
    time.pass({ seconds: 1 });
    expect((await use(cookie)).statusCode).toBe(401);
  });

  test('when the clock was 60 days ahead at the sign-in and is set back', async () => {
    const somebody = await newcomer(app);
    time.pass({ hours: 60 * 24 });
    const cookie = cookieOf(await logIn(app, somebody));
    expect((await use(cookie)).statusCode).toBe(200);
    time.pass({ hours: -60 * 24 });
    expect((await use(cookie)).statusCode).toBe(401);
  });

  test('but not when the clock is set back by an hour', async () => {
    const cookie = await begin();
    time.pass({ hours: -1 });
    expect((await use(cookie)).statusCode).toBe(200);
  });

  test('and is no longer listed', async () => {
    const somebody = await newcomer(app);
    await logIn(app, somebody);
    time.pass({ hours: 5 });
    const cookie = cookieOf(await logIn(app, somebody));
    expect((await use(cookie)).json().sessions).toHaveLength(1);
  });
});

describe('the secret of a session', () => {
  test('is rotated after an hour, with a cookie that expires when the session does', async () => {
    const first = await begin();
    const end = new Date(time.clock().getTime() + 24 * 3_600_000);
    time.pass({ minutes: 59 });
    expect(setsCookie(await use(first))).toBe(false);
    time.pass({ minutes: 1 });
    const exchanged = await use(first);
    expect(cookieOf(exchanged)).not.toBe(first);
    const [cookie] = exchanged.cookies;
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(cookie?.expires).toEqual(end);
    expect((await use(cookieOf(exchanged))).json().sessions).toHaveLength(1);
  });

  test('is rotated once by concurrent requests, all of which succeed', async () => {
    const first = await begin();
    time.pass({ hours: 1 });
    const other = await appOn(app, { clock: time.clock });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => use(first, index % 2 ? other : app)),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
    expect(answers.filter(setsCookie)).toHaveLength(1);
  });

  test('stays valid for two minutes after the rotation, because responses may be lost', async () => {
    const first = await begin();
    time.pass({ hours: 1 });
    await use(first);
    time.pass({ minutes: 2 });
    const again = await use(first);
    expect([again.statusCode, setsCookie(again)]).toEqual([200, false]);
  });

  test('stays valid until the new one is used', async () => {
    const first = await begin();
    time.pass({ hours: 1 });
    const lost = await use(first);
    expect(setsCookie(lost)).toBe(true);
    time.pass({ minutes: 30 });
    const again = await use(first);
    expect(again.statusCode).toBe(200);
    const second = cookieOf(again);
    expect(second).not.toBe(cookieOf(lost));
    time.pass({ minutes: 3 });
    expect((await use(second)).statusCode).toBe(200);
    expect((await use(first)).statusCode).toBe(401);
  });

  test('is not rotated by a request whose response cannot set a cookie', async () => {
    const first = await begin();
    time.pass({ hours: 1 });
    const unreadable = await askWith(app, first, 'GET /api/admin/events/%zz');
    expect([unreadable.statusCode, setsCookie(unreadable)]).toEqual([400, false]);
    time.pass({ minutes: 3 });
    expect(setsCookie(await use(first))).toBe(true);
  });

  test('ends the session when a rotated secret is reused, as it may be stolen', async () => {
    const somebody = await newcomer(app);
    const stolen = cookieOf(await logIn(app, somebody));
    time.pass({ hours: 1 });
    const own = cookieOf(await use(stolen));
    time.pass({ minutes: 3 });
    expect((await use(own)).statusCode).toBe(200);
    expect((await use(stolen)).statusCode).toBe(401);
    time.pass({ seconds: 2 });
    expect((await use(own)).statusCode).toBe(401);
    const left = app.db.selectFrom('sessions').where('user_id', '=', somebody.id).select('id');
    expect(await left.execute()).toEqual([]);
  });
});

describe('a request with a session cookie', () => {
  const project = (cookie: string, headers: Record<string, string>) =>
    app.app.inject({
      method: 'POST',
      url: '/api/admin/projects',
      payload: { name: 'Made in a browser' },
      headers: { cookie, ...headers },
    });

  test.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['an origin that starts with ours', { origin: 'http://localhost:4242.evil.example' }],
    ['our host on another port', { origin: 'http://localhost:4243' }],
    ['the origin null', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sister domain', { 'sec-fetch-site': 'same-site' }],
  ])('cannot write from %s: 403', async (_from, headers) => {
    const cookie = await begin();
    const response = await project(cookie, headers);
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    for (const request of ['POST /logout', `DELETE ${sessions}`]) {
      expect((await askWith(app, cookie, request, { headers })).statusCode).toBe(403);
    }
    expect((await use(cookie)).statusCode).toBe(200);
  });

  test.each([
    ['our own origin', { origin: 'http://localhost:4242', 'sec-fetch-site': 'same-origin' }],
    ['a client that sends no origin', {}],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('can write from %s', async (_from, headers) => {
    const response = await project(await begin(), headers);
    expect(response.statusCode).toBe(201);
  });

  test('can read from another site, which cannot see the response', async () => {
    const cookie = await begin();
    const headers = { origin: 'https://evil.example' };
    const response = await askWith(app, cookie, `GET ${sessions}`, { headers });
    expect(response.statusCode).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('has its origin checked, unlike a request with a token in the header', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    const response = await app.ask('POST /api/admin/projects', {
      payload: { name: 'By a token' },
      headers,
    });
    expect(response.statusCode).toBe(201);
  });

  test('gets 401 if it also has an invalid token', async () => {
    const cookie = await begin();
    const headers = { authorization: 'nonsense' };
    expect((await askWith(app, cookie, `GET ${sessions}`, { headers })).statusCode).toBe(401);
  });
});
