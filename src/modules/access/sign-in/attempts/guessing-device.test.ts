import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import { countAttempts } from '../../../../../test/support/attempts.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';
import {
  askWith,
  cookieOf,
  freshAddress,
  logIn,
  movableClock,
  newcomer,
} from '../../../../../test/support/visitor.ts';
import { createLogger } from '../../../../platform/log.ts';
import { hashSecret } from '../../../../platform/secret.ts';
import { deleteOldAttempts } from '../jobs.ts';
import { type Rule, rules } from './throttle.ts';

const time = movableClock();
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: time.clock });
});

interface Credentials {
  readonly username: string;
  readonly password: string;
}

const nextHour = () => time.pass({ minutes: 60 - time.clock().getUTCMinutes() });
const times = (count: number, status: number) => Array<number>(count).fill(status);

const setDevice = (response: LightMyRequestResponse) =>
  response.cookies.find(({ name }) => name === 'burgee-device');

/** The device cookie of a response, as a browser sends it back. */
const deviceIn = (response: LightMyRequestResponse): string => {
  const cookie = setDevice(response);
  if (!cookie) throw new Error(`${response.statusCode} sets no device cookie: ${response.body}`);
  return `burgee-device=${cookie.value}`;
};

const enter = ({ username, password }: Credentials, from: string, cookie?: string, server = app) =>
  logIn(server, { username, password }, { from, headers: cookie ? { cookie } : {} });
const statusOf = async (...asked: Parameters<typeof enter>) => (await enter(...asked)).statusCode;
const deviceOf = async (somebody: Credentials, from = freshAddress()) =>
  deviceIn(await enter(somebody, from));

const guess = ({ username }: Pick<Credentials, 'username'>, from: string, cookie?: string) =>
  statusOf({ username, password: 'a guess' }, from, cookie);

async function guesses(count: number, whom: () => { username: string }, from: string, at?: string) {
  const answers: number[] = [];
  for (let round = 0; round < count; round += 1) answers.push(await guess(whom(), from, at));
  return answers;
}

/** As after this many more guesses. */
const alreadyCounted = (count: number, rule: Rule, subject: string) =>
  countAttempts(app, rule, { subject, count, now: time.clock() });

let names = 0;
const nobody = () => {
  names += 1;
  return { username: `nobody-${names}` };
};

describe('a browser known by its device cookie', () => {
  test('can log in while a colleague at the same address keeps guessing the password', async () => {
    nextHour();
    const victim = await newcomer(app);
    const office = freshAddress();
    const device = await deviceOf(victim, office);
    for (let window = 0; window < 3; window += 1) {
      expect(await guesses(5, () => victim, office)).toEqual(times(5, 401));
      expect(await statusOf(victim, office)).toBe(429);
      expect(await statusOf(victim, office, device)).toBe(200);
      // The victim's log-in does not give the colleague more guesses.
      expect(await guess(victim, office)).toBe(429);
      time.pass({ minutes: 5 });
    }
  });

  test('can log in while guesses exhaust the limit of its address for the minute', async () => {
    nextHour();
    const victim = await newcomer(app);
    const office = freshAddress();
    const device = await deviceOf(victim, office);
    for (let minute = 0; minute < 2; minute += 1) {
      await alreadyCounted(19, rules.addressPerMinute, office);
      expect(await guesses(2, nobody, office)).toEqual([401, 429]);
      // The limit per minute applies to users who have signed in from there, too.
      expect(await statusOf(victim, office)).toBe(429);
      expect(await statusOf(victim, office, device)).toBe(200);
      time.pass({ minutes: 1 });
    }
  });

  test('can log in from a new address while guesses from many addresses exhaust the limit of the account', async () => {
    nextHour();
    const victim = await newcomer(app);
    const device = await deviceOf(victim);
    await alreadyCounted(30, rules.account, victim.username);
    const hotel = freshAddress();
    expect(await statusOf(victim, hotel)).toBe(429);
    expect(await statusOf(victim, hotel, device)).toBe(200);
  });
});

describe('guessing in a known browser', () => {
  test('is limited to 5 in five minutes, for this browser only', async () => {
    nextHour();
    const victim = await newcomer(app);
    const office = freshAddress();
    const [device, other] = [await deviceOf(victim, office), await deviceOf(victim, office)];
    expect(other).not.toBe(device);
    expect(await guesses(6, () => victim, office, device)).toEqual([...times(5, 401), 429]);
    time.pass({ minutes: 1 });
    const refused = await enter(victim, office, device);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '240']);
    expect(setDevice(refused)).toBeUndefined();
    expect(await statusOf(victim, freshAddress(), device)).toBe(429);
    expect(await statusOf(victim, office, other)).toBe(200);
    expect(await statusOf(victim, office)).toBe(200);
    time.pass({ minutes: 4 });
    expect(await statusOf(victim, office, device)).toBe(200);
  });

  test('does not count toward the limits of the address and the account', async () => {
    nextHour();
    const victim = await newcomer(app);
    const office = freshAddress();
    const device = await deviceOf(victim, office);
    await guesses(5, () => victim, office, device);
    expect(await guesses(5, () => victim, office)).toEqual(times(5, 401));
    await alreadyCounted(14, rules.addressPerMinute, office);
    expect(await guesses(2, nobody, office)).toEqual([401, 429]);
    await alreadyCounted(29, rules.account, victim.username);
    expect(await guess(victim, freshAddress())).toBe(401);
    expect(await guess(victim, freshAddress())).toBe(429);
  });

  test('is reset by the right password; concurrent guesses are limited too', async () => {
    nextHour();
    const victim = await newcomer(app);
    const office = freshAddress();
    const device = await deviceOf(victim, office);
    await guesses(4, () => victim, office, device);
    expect(await statusOf(victim, office, device)).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => guess(victim, office, device)),
    );
    expect(answers.filter((status) => status === 401)).toHaveLength(5);
    expect(answers.filter((status) => status === 429)).toHaveLength(15);
  });

  test("is limited separately for changing one's own password, too", async () => {
    nextHour();
    const victim = await newcomer(app);
    const office = freshAddress();
    const entered = await enter(victim, office);
    const [session, device] = [cookieOf(entered), deviceIn(entered)];
    await guesses(5, () => victim, office);
    const change = async (oldPassword: string, cookie: string) =>
      (
        await app.app.inject({
          method: 'POST',
          url: '/api/admin/user/change-password',
          payload: { password: 'quiet river stones', oldPassword },
          remoteAddress: office,
          headers: { cookie },
        })
      ).statusCode;
    expect(await change(victim.password, session)).toBe(429);
    expect(await change('a guess', `${session}; ${device}`)).toBe(400);
    expect(await guesses(5, () => victim, office, device)).toEqual([...times(4, 401), 429]);
    time.pass({ minutes: 5 });
    await guesses(5, () => victim, office);
    expect(await change(victim.password, `${session}; ${device}`)).toBe(200);
  });
});

describe('a device cookie unknown for the account', () => {
  test("has no effect, whether it is another user's, forged or malformed", async () => {
    nextHour();
    const [victim, colleague] = [await newcomer(app), await newcomer(app)];
    const office = freshAddress();
    const own = await deviceOf(colleague, office);
    const strange = [own, `burgee-device=${'a'.repeat(56)}`, 'burgee-device=x', 'burgee-device='];
    const wrong = { ...victim, password: 'a guess' };
    const answerOf = async (cookie?: string) => {
      const response = await enter(wrong, office, cookie);
      const { id, ...body } = response.json();
      return [response.statusCode, body, response.headers['set-cookie']];
    };
    const plain = await answerOf();
    expect(plain[0]).toBe(401);
    for (const cookie of strange) expect(await answerOf(cookie)).toEqual(plain);
    for (const cookie of strange) expect(await statusOf(victim, office, cookie)).toBe(429);
    const closed = await answerOf();
    expect(closed[0]).toBe(429);
    for (const cookie of strange) expect(await answerOf(cookie)).toEqual(closed);
    expect(await statusOf(colleague, office, own)).toBe(200);
  });

  test('does not allow more guesses for a username that does not exist', async () => {
    nextHour();
    const device = await deviceOf(await newcomer(app));
    const answers = await guesses(6, () => ({ username: 'no-one' }), freshAddress(), device);
    expect(answers).toEqual([...times(5, 401), 429]);
  });

  test('does not allow more guesses if it was not used for 90 days', async () => {
    nextHour();
    const victim = await newcomer(app);
    const office = freshAddress();
    const device = await deviceOf(victim, office);
    time.pass({ hours: 24 * 89 });
    await guesses(5, () => victim, office);
    expect(await statusOf(victim, office, device)).toBe(200);
    time.pass({ hours: 24 * 91 });
    await guesses(5, () => victim, office);
    expect(await statusOf(victim, office, device)).toBe(429);
    await deleteOldAttempts(app.db, time.clock());
    const kept = app.db.selectFrom('familiar_addresses').where('user_id', '=', victim.id);
    expect(await kept.select('address').execute()).toEqual([]);
  });
});

describe('the device cookie', () => {
  test('is long-lived, HttpOnly and SameSite, and Secure behind HTTPS', async () => {
    const victim = await newcomer(app);
    const set = setDevice(await enter(victim, freshAddress()));
    expect(set).toEqual({
      name: 'burgee-device',
      value: expect.stringMatching(/^[0-9a-f]{56}$/),
      maxAge: 400 * 24 * 3600,
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
    });
    const config = { baseUrl: 'https://example.com/flags' };
    const behind = await appOn(app, { clock: time.clock, config });
    const secure = setDevice(await enter(victim, freshAddress(), undefined, behind));
    expect(secure).toMatchObject({ path: '/flags/', secure: true });
  });

  test('is reused for a second user of the same browser, and replaced if it is invalid', async () => {
    nextHour();
    const [one, other] = [await newcomer(app), await newcomer(app)];
    const office = freshAddress();
    const device = await deviceOf(one, office);
    expect(deviceIn(await enter(one, office, device))).toBe(device);
    expect(deviceIn(await enter(other, office, device))).toBe(device);
    for (const somebody of [one, other]) {
      await guesses(5, () => somebody, office);
      expect(await statusOf(somebody, office, device)).toBe(200);
    }
    const planted = 'burgee-device=chosen-by-somebody';
    const given = deviceIn(await enter(one, freshAddress(), planted));
    expect(given).toMatch(/^burgee-device=[0-9a-f]{56}$/);
  });

  test('does not authenticate, and is not set by a failed sign-in', async () => {
    const victim = await newcomer(app);
    const device = await deviceOf(victim);
    const secret = device.split('=')[1];
    const sessions = 'GET /api/admin/user/sessions';
    expect((await askWith(app, device, sessions)).statusCode).toBe(401);
    expect((await askWith(app, `burgee-session=${secret}`, sessions)).statusCode).toBe(401);
    const refused = await enter({ ...victim, password: 'a guess' }, freshAddress(), device);
    expect([refused.statusCode, refused.cookies]).toEqual([401, []]);
  });

  test('appears in no response body, log line or event, and is stored as a hash', async () => {
    nextHour();
    const lines: string[] = [];
    const log = createLogger('trace', { write: (line: string) => void lines.push(line) });
    const loud = await appOn(app, { clock: time.clock, log });
    const victim = await newcomer(app);
    const office = freshAddress();
    const entered = await enter(victim, office, undefined, loud);
    const device = deviceIn(entered);
    const secret = device.split('=')[1] as string;
    const answers = [entered.body];
    for (let round = 0; round < 6; round += 1) {
      answers.push((await enter({ ...victim, password: 'x' }, office, device, loud)).body);
    }
    time.pass({ minutes: 5 });
    const before = await countEvents(app.db);
    const changed = await loud.app.inject({
      method: 'POST',
      url: '/api/admin/user/change-password',
      payload: { password: 'quiet river stones', oldPassword: victim.password },
      headers: { cookie: `${cookieOf(entered)}; ${device}` },
    });
    expect(changed.statusCode).toBe(200);
    expect(await countEvents(app.db)).toBeGreaterThan(before);
    const hash = hashSecret(secret).toString('hex');
    const events = JSON.stringify(await app.db.selectFrom('events').selectAll().execute());
    expect(lines.join('')).toContain('/auth/simple/login');
    for (const text of [...answers, changed.body, lines.join(''), events]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(hash);
    }
    const kept = await app.db.selectFrom('familiar_addresses').selectAll().execute();
    expect(kept.map(({ address }) => address)).toContain(`device:${hash}`);
    expect(JSON.stringify(kept)).not.toContain(secret);
  });
});
