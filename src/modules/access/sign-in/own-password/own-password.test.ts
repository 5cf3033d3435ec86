import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import { countAttempts } from '../../../../../test/support/attempts.ts';
import { distinctPathsOf } from '../../../../../test/support/faults.ts';
import { askedDuring } from '../../../../../test/support/locks.ts';
import { person } from '../../../../../test/support/people.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import {
  cookieOf,
  freshAddress,
  goodPassword,
  logIn,
  movableClock,
  newcomer,
} from '../../../../../test/support/visitor.ts';
import { hashPassword, setPassword } from '../../users/index.ts';
import { rules } from '../attempts/throttle.ts';

const time = movableClock();
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: time.clock });
});

const url = '/api/admin/user/change-password';
const better = 'quiet river stones';

type Newcomer = Awaited<ReturnType<typeof newcomer>>;

const signedIn = async (somebody: Newcomer, from = freshAddress()) =>
  cookieOf(await logIn(app, somebody, { from }));

const change = (cookie: string, payload: object, from: string, { app: server }: TestApp = app) =>
  server.inject({ method: 'POST', url, headers: { cookie }, payload, remoteAddress: from });

const guess = async (cookie: string, from: string, server = app) =>
  (await change(cookie, { password: better, oldPassword: 'a guess' }, from, server)).statusCode;

async function guesses(count: number, cookie: string, from: () => string) {
  const answers: number[] = [];
  for (let round = 0; round < count; round += 1) answers.push(await guess(cookie, from()));
  return answers;
}

const times = (count: number, status: number) => Array<number>(count).fill(status);
/** Moves the clock to the start of a window of every rule. Sessions outlive it. */
const nextHour = () => {
  const now = time.clock();
  time.pass({ minutes: 60 - now.getUTCMinutes(), seconds: -now.getUTCSeconds() });
};
const has = async ({ username }: Newcomer, password: string) =>
  (await logIn(app, { username, password })).statusCode === 200;

describe('changing one’s own password', () => {
  test('requires the old one, ends other sessions and keeps the current one', async () => {
    const somebody = await newcomer(app);
    const [here, elsewhere] = [await signedIn(somebody), await signedIn(somebody)];
    time.pass({ seconds: 1 });
    const response = await change(
      here,
      { password: better, confirmPassword: better, oldPassword: goodPassword },
      freshAddress(),
    );
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const events = await recordedBy(app.db, response);
    expect(events).toMatchObject([{ type: 'user-updated', data: { id: somebody.id } }]);
    expect(JSON.stringify(events)).not.toContain(better);
    const alive = async (cookie: string) =>
      (await app.app.inject({ url: '/api/admin/user', headers: { cookie } })).statusCode;
    expect([await alive(here), await alive(elsewhere)]).toEqual([200, 401]);
    expect([await has(somebody, better), await has(somebody, goodPassword)]).toEqual([true, false]);
  });

  test('rejects a missing or wrong old password, a weak new one and a wrong confirmation', async () => {
    const somebody = await newcomer(app);
    const cookie = await signedIn(somebody);
    for (const [payload, path] of [
      [{ password: better, oldPassword: better }, '/body/oldPassword'],
      [{ password: better }, '/body/oldPassword'],
      [{ password: 'password123', oldPassword: goodPassword }, '/body/password'],
      [{ password: `my ${somebody.username}`, oldPassword: goodPassword }, '/body/password'],
      [
        { password: better, oldPassword: goodPassword, confirmPassword: goodPassword },
        '/body/confirmPassword',
      ],
    ] as const) {
      const response = await change(cookie, payload, freshAddress());
      expect([response.statusCode, distinctPathsOf(response)]).toEqual([400, [path]]);
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
    expect(await has(somebody, goodPassword)).toBe(true);
  });

  test('rejects any old password of a user who has none', async () => {
    const invited = await person(app);
    const payload = { password: better, oldPassword: 'whatever it was' };
    const response = await invited.ask(`POST ${url}`, { payload });
    expect([response.statusCode, distinctPathsOf(response)]).toEqual([400, ['/body/oldPassword']]);
  });

  test('returns 403 for an API token or a service account', async () => {
    const service = await person(app, { kind: 'service account' });
    const payload = { password: better, oldPassword: goodPassword };
    for (const ask of [app.ask, service.ask]) {
      const response = await ask(`POST ${url}`, { payload });
      expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    }
  });

  test('fails if the old password is changed during the comparison', async () => {
    const somebody = await newcomer(app);
    const cookie = await signedIn(somebody);
    const other = await hashPassword('amber field gate');
    const { waited, response } = await askedDuring(
      app,
      (tx) => setPassword(tx, somebody.id, other),
      () => change(cookie, { password: better, oldPassword: goodPassword }, freshAddress()),
    );
    expect([waited, response.statusCode, distinctPathsOf(response)]).toEqual([
      true,
      400,
      ['/body/oldPassword'],
    ]);
    expect(await has(somebody, 'amber field gate')).toBe(true);
  });

  test('succeeds once for two concurrent requests', async () => {
    const somebody = await newcomer(app);
    const cookie = await signedIn(somebody);
    const inputs = ['quiet river stones 1', 'quiet river stones 2'];
    const answers = await Promise.all(
      inputs.map((password) =>
        change(cookie, { password, oldPassword: goodPassword }, freshAddress()),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
    const winner = answers.findIndex(({ statusCode }) => statusCode === 200);
    expect(await has(somebody, inputs[winner] ?? '')).toBe(true);
  });
});

describe('guessing the old password', () => {
  test('is limited to 5 in five minutes, rejects even the right one then and says how long to wait', async () => {
    nextHour();
    const somebody = await newcomer(app);
    const from = freshAddress();
    const cookie = await signedIn(somebody, from);
    expect(await guesses(5, cookie, () => from)).toEqual(times(5, 400));
    time.pass({ minutes: 1 });
    expect(await guess(cookie, from)).toBe(429);
    const right = { password: better, oldPassword: goodPassword };
    const refused = await change(cookie, right, from);
    expect([refused.statusCode, refused.json().name]).toEqual([429, 'TooManyRequestsError']);
    expect(refused.headers['retry-after']).toBe('240');
    expect(await recordedBy(app.db, refused)).toEqual([]);

    time.pass({ minutes: 3, seconds: 59 });
    expect((await change(cookie, right, from)).statusCode).toBe(429);
    time.pass({ seconds: 1 });
    expect((await change(cookie, right, from)).statusCode).toBe(200);
  });

  test('is limited for requests with a personal access token, too', async () => {
    nextHour();
    const somebody = await person(app);
    const from = freshAddress();
    const answers: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const payload = { password: better, oldPassword: `guess ${round}` };
      const response = await somebody.ask(`POST ${url}`, { payload, remoteAddress: from });
      answers.push(response.statusCode);
    }
    expect(answers).toEqual([...times(5, 400), 429]);
  });

  test('counts together with failed sign-ins', async () => {
    nextHour();
    const somebody = await newcomer(app);
    const from = freshAddress();
    const cookie = await signedIn(somebody, from);
    await guesses(3, cookie, () => from);
    const { username } = somebody;
    for (let round = 0; round < 2; round += 1) {
      const wrong = await logIn(app, { username, password: 'a guess' }, { from });
      expect(wrong.statusCode).toBe(401);
    }
    expect(await guess(cookie, from)).toBe(429);
    expect((await logIn(app, somebody, { from })).statusCode).toBe(429);
  });

  test('is limited to 30 from many addresses, except from an address the user signed in from', async () => {
    nextHour();
    const somebody = await newcomer(app);
    const office = freshAddress();
    const cookie = await signedIn(somebody, office);
    const { username: subject } = somebody;
    await countAttempts(app, rules.account, { subject, count: 28, now: time.clock() });
    expect(await guesses(3, cookie, freshAddress)).toEqual([400, 400, 429]);
    const right = { password: better, oldPassword: goodPassword };
    expect((await change(cookie, right, freshAddress())).statusCode).toBe(429);
    expect((await change(cookie, right, office)).statusCode).toBe(200);
  });

  test('is reset by the right password, and does not count weak new passwords', async () => {
    nextHour();
    const somebody = await newcomer(app);
    const from = freshAddress();
    const cookie = await signedIn(somebody, from);
    await guesses(4, cookie, () => from);
    for (let round = 0; round < 6; round += 1) {
      const weak = { password: 'password123', oldPassword: goodPassword };
      expect((await change(cookie, weak, from)).statusCode).toBe(400);
    }
    const right = { password: better, oldPassword: goodPassword };
    expect((await change(cookie, right, from)).statusCode).toBe(200);
    expect(await guesses(6, cookie, () => from)).toEqual([...times(5, 400), 429]);
  });

  test('is limited for concurrent requests and across two instances', async () => {
    nextHour();
    const somebody = await newcomer(app);
    const from = freshAddress();
    const cookie = await signedIn(somebody, from);
    const other = await appOn(app, { clock: time.clock });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => guess(cookie, from, index % 2 ? other : app)),
    );
    expect(answers.filter((status) => status === 400)).toHaveLength(5);
    expect(answers.filter((status) => status === 429)).toHaveLength(15);
  });
});
