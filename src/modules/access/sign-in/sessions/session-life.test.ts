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
  test('when nobody used it for a while', async () => {
    let cookie = await begin();
    time.pass({ hours: 3, minutes: 58 });
    cookie = await browse(cookie);
    time.pass({ hours: 3, minutes: 58 });
    cookie = await browse(cookie);
    time.pass({ hours: 4 });
    expect((await use(cookie)).statusCode).toBe(401);
  });

  test('a day after the log-in, however busy it is', async () => {
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

  test('when the clock under which it began was 60 days ahead, and is set back', async () => {
    const somebody = await newcomer(app);
    time.pass({ hours: 60 * 24 });
    const cookie = cookieOf(await logIn(app, somebody));
    expect((await use(cookie)).statusCode).toBe(200);
    time.pass({ hours: -60 * 24 });
    expect((await use(cookie)).statusCode).toBe(401);
  });

  test('not when the clock is set back by an hour', async () => {
    const cookie = await begin();
    time.pass({ hours: -1 });
    expect((await use(cookie)).statusCode).toBe(200);
  });

  test('and then is in no list', async () => {
    const somebody = await newcomer(app);
    await logIn(app, somebody);
    time.pass({ hours: 5 });
    const cookie = cookieOf(await logIn(app, somebody));
    expect((await use(cookie)).json().sessions).toHaveLength(1);
  });
});

describe('the secret of a session', () => {
  test('is exchanged after an hour, and the cookie expires when the session does', async () => {
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

  test('is exchanged once by requests that come together, and all are answered', async () => {
    const first = await begin();
    time.pass({ hours: 1 });
    const other = await appOn(app, { clock: time.clock });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => use(first, index % 2 ? other : app)),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
    expect(answers.filter(setsCookie)).toHaveLength(1);
  });

  test('is good for two minutes after that: answers may be lost', async () => {
    const first = await begin();
    time.pass({ hours: 1 });
    await use(first);
    time.pass({ minutes: 2 });
    const again = await use(first);
    expect([again.statusCode, setsCookie(again)]).toEqual([200, false]);
  });

  test('stays good for as long as the answer with the new one did not arrive', async () => {
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

  test('is not exchanged by a request whose answer cannot bring the new one', async () => {
    const first = await begin();
    time.pass({ hours: 1 });
    const unreadable = await askWith(app, first, 'GET /api/admin/events/%zz');
    expect([unreadable.statusCode, setsCookie(unreadable)]).toEqual([400, false]);
    time.pass({ minutes: 3 });
    expect(setsCookie(await use(first))).toBe(true);
  });

  test('reveals a thief who uses it later: the session ends for both', async () => {
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

describe('a write with a cookie', () => {
  const project = (cookie: string, headers: Record<string, string>) =>
    app.app.inject({
      method: 'POST',
      url: '/api/admin/projects',
      payload: { name: 'Made in a browser' },
      headers: { cookie, ...headers },
    });

  test.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['an origin that begins as ours', { origin: 'http://localhost:4242.evil.example' }],
    ['our host on another port', { origin: 'http://localhost:4243' }],
    ['no origin to speak of', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sister domain', { 'sec-fetch-site': 'same-site' }],
  ])('from %s is refused', async (_from, headers) => {
    const cookie = await begin();
    const response = await project(cookie, headers);
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    for (const request of ['POST /logout', `DELETE ${sessions}`]) {
      expect((await askWith(app, cookie, request, { headers })).statusCode).toBe(403);
    }
    expect((await use(cookie)).statusCode).toBe(200);
  });

  test.each([
    ['our own page', { origin: 'http://localhost:4242', 'sec-fetch-site': 'same-origin' }],
    ['no browser at all', {}],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('from %s is served', async (_from, headers) => {
    const response = await project(await begin(), headers);
    expect(response.statusCode).toBe(201);
  });

  test('a read from another site is answered, for that site cannot see the answer', async () => {
    const cookie = await begin();
    const headers = { origin: 'https://evil.example' };
    const response = await askWith(app, cookie, `GET ${sessions}`, { headers });
    expect(response.statusCode).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a token in the header needs no origin: no page of another site has it', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    const response = await app.ask('POST /api/admin/projects', {
      payload: { name: 'By a token' },
      headers,
    });
    expect(response.statusCode).toBe(201);
  });

  test('a bad token beside a good cookie is refused', async () => {
    const cookie = await begin();
    const headers = { authorization: 'nonsense' };
    expect((await askWith(app, cookie, `GET ${sessions}`, { headers })).statusCode).toBe(401);
  });
});
