import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import { countAttempts } from '../../../../../test/support/attempts.ts';
import {
  freshAddress,
  logIn,
  movableClock,
  newcomer,
} from '../../../../../test/support/visitor.ts';
import { callerOf } from '../../../../platform/caller-address.ts';
import { deleteOldAttempts } from '../jobs.ts';
import { type Rule, rules } from './throttle.ts';

const time = movableClock();
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: time.clock });
});

const guess = async (username: string, from: string, server = app) =>
  (await logIn(server, { username, password: 'a guess' }, { from })).statusCode;

/** The status codes of this many guesses in sequence. */
async function guesses(count: number, username: () => string, from: () => string) {
  const answers: number[] = [];
  for (let round = 0; round < count; round += 1) answers.push(await guess(username(), from()));
  return answers;
}

/** As after this many guesses. */
const alreadyCounted = (count: number, rule: Rule, subject: string) =>
  countAttempts(app, rule, { subject, count, now: time.clock() });

/** Moves the clock to the start of a window of every rule. */
const nextHour = () => {
  time.pass({ minutes: 60 - time.clock().getUTCMinutes() });
};

const times = (count: number, status: number) => Array<number>(count).fill(status);
let names = 0;
const someName = () => {
  names += 1;
  return `nobody-${names}`;
};

describe('guessing at one account from one address', () => {
  test('is limited to 5 in five minutes, and the error says how long to wait', async () => {
    nextHour();
    const { username, password } = await newcomer(app);
    const from = freshAddress();
    expect(
      await guesses(
        5,
        () => username,
        () => from,
      ),
    ).toEqual(times(5, 401));
    time.pass({ minutes: 1 });
    const refused = await logIn(app, { username, password }, { from });
    expect([refused.statusCode, refused.json().name]).toEqual([429, 'TooManyRequestsError']);
    expect(refused.headers['retry-after']).toBe('240');
    expect(refused.json().message).toContain('240 seconds');

    time.pass({ minutes: 3, seconds: 59 });
    expect(await guess(username, from)).toBe(429);
    time.pass({ seconds: 1 });
    expect((await logIn(app, { username, password }, { from })).statusCode).toBe(200);
  });

  test('is limited the same way for a username that does not exist', async () => {
    nextHour();
    const from = freshAddress();
    expect(
      await guesses(
        6,
        () => 'nobody',
        () => from,
      ),
    ).toEqual([...times(5, 401), 429]);
    expect(await guess('NOBODY', from)).toBe(429);
    expect(await guess('somebody-else', from)).toBe(401);
  });

  test('does not reveal that a username and an email belong to the same user', async () => {
    const answersFor = async (username: string, email: string) => {
      nextHour();
      const from = freshAddress();
      const typed = [email, email, email, email.toUpperCase(), email, email, username, username];
      return guesses(
        typed.length,
        () => typed.shift() as string,
        () => from,
      );
    };
    const email = 'both@example.com';
    await newcomer(app, { username: 'both', email });
    const answers = await answersFor('both', email);
    expect(answers).toEqual([...times(5, 401), 429, 401, 401]);
    expect(await answersFor('ghost', 'ghost@example.com')).toEqual(answers);
  });

  test('does not reveal that from many addresses either', async () => {
    const answersFor = async (username: string, email: string) => {
      nextHour();
      await alreadyCounted(28, rules.account, email);
      const ofEmail = await guesses(3, () => email, freshAddress);
      return [...ofEmail, await guess(username, freshAddress())];
    };
    const email = 'two-names@example.com';
    await newcomer(app, { username: 'two-names', email });
    const answers = await answersFor('two-names', email);
    expect(answers).toEqual([401, 401, 429, 401]);
    expect(await answersFor('nobody-there', 'nobody-there@example.com')).toEqual(answers);
  });

  test('is reset by the right password', async () => {
    nextHour();
    const { username, password } = await newcomer(app);
    const from = freshAddress();
    await guesses(
      4,
      () => username,
      () => from,
    );
    expect((await logIn(app, { username, password }, { from })).statusCode).toBe(200);
    expect(
      await guesses(
        5,
        () => username,
        () => from,
      ),
    ).toEqual(times(5, 401));
    expect(await guess(username, from)).toBe(429);
  });

  test('rejects the right password once the limit is reached', async () => {
    nextHour();
    const { username, password } = await newcomer(app);
    const from = freshAddress();
    await guesses(
      5,
      () => username,
      () => from,
    );
    expect((await logIn(app, { username, password }, { from })).statusCode).toBe(429);
  });

  test('is limited for concurrent requests and across two instances', async () => {
    nextHour();
    const { username } = await newcomer(app);
    const from = freshAddress();
    const other = await appOn(app, { clock: time.clock });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => guess(username, from, index % 2 ? other : app)),
    );
    expect(answers.filter((status) => status === 401)).toHaveLength(5);
    expect(answers.filter((status) => status === 429)).toHaveLength(15);
  });
});

describe('guessing from one address', () => {
  test('is limited to 20 in a minute across all usernames', async () => {
    nextHour();
    const from = freshAddress();
    expect(await guesses(21, someName, () => from)).toEqual([...times(20, 401), 429]);
    expect(await guess(someName(), freshAddress())).toBe(401);
    time.pass({ minutes: 1 });
    expect(await guess(someName(), from)).toBe(401);
  });

  test('is limited to 100 in an hour, but not for users who have signed in from there', async () => {
    nextHour();
    const from = freshAddress();
    const colleague = await newcomer(app);
    const device = (await logIn(app, colleague, { from })).cookies.find(
      ({ name }) => name === 'burgee-device',
    );
    await alreadyCounted(98, rules.addressPerHour, from);
    time.pass({ minutes: 10 });
    expect(await guesses(2, someName, () => from)).toEqual([401, 401]);
    const refused = await logIn(app, { username: someName(), password: 'x' }, { from });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe(String(50 * 60));
    expect((await logIn(app, colleague, { from })).statusCode).toBe(200);
    const headers = { cookie: `burgee-device=${device?.value}` };
    expect((await logIn(app, colleague, { from, headers })).statusCode).toBe(200);
    time.pass({ minutes: 50 });
    expect(await guess(someName(), from)).toBe(401);
  });

  test('does not count successful sign-ins, so that an office can share one address', async () => {
    nextHour();
    const { username, password } = await newcomer(app);
    const from = freshAddress();
    await alreadyCounted(19, rules.addressPerMinute, from);
    for (let round = 0; round < 3; round += 1) {
      expect((await logIn(app, { username, password }, { from })).statusCode).toBe(200);
    }
  });

  test('counts an IPv6 /64 network as one address', async () => {
    nextHour();
    await alreadyCounted(19, rules.addressPerMinute, callerOf('2001:db8:0:7::1'));
    expect(await guess(someName(), '2001:db8:0:7::2')).toBe(401);
    expect(await guess(someName(), '2001:db8:0:7::3')).toBe(429);
    expect(await guess(someName(), '2001:db8:0:8::1')).toBe(401);
  });

  test('uses X-Forwarded-For only from a trusted proxy', async () => {
    nextHour();
    const attempt = async (app: TestApp, from: string, forwarded: string) =>
      (
        await logIn(
          app,
          { username: someName(), password: 'x' },
          { from, headers: { 'x-forwarded-for': forwarded } },
        )
      ).statusCode;
    const from = freshAddress();
    await alreadyCounted(19, rules.addressPerMinute, from);
    expect(await attempt(app, from, '198.51.100.1')).toBe(401);
    expect(await attempt(app, from, '198.51.100.2')).toBe(429);

    const proxy = '10.88.0.1';
    const proxied = await appOn(app, { clock: time.clock, config: { trustedProxies: [proxy] } });
    await alreadyCounted(19, rules.addressPerMinute, proxy);
    for (const forwarded of ['203.0.113.1', '203.0.113.2']) {
      expect(await attempt(proxied, proxy, forwarded)).toBe(401);
    }
  });
});

describe('guessing at one account from many addresses', () => {
  test('is limited to 30 in 15 minutes, without counting rejected attempts', async () => {
    nextHour();
    const { username, password } = await newcomer(app);
    expect(await guesses(30, () => username, freshAddress)).toEqual(times(30, 401));
    expect(await guesses(3, () => username, freshAddress)).toEqual(times(3, 429));
    const refused = await logIn(app, { username, password });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '900']);
    time.pass({ minutes: 15 });
    expect((await logIn(app, { username, password })).statusCode).toBe(200);
  });

  test('locks out the user, except at an address they signed in from within 90 days', async () => {
    nextHour();
    const [one, other] = [await newcomer(app), await newcomer(app)];
    const [formerOffice, office, ofOther] = [freshAddress(), freshAddress(), freshAddress()];
    await logIn(app, one, { from: formerOffice });
    time.pass({ hours: 24 * 2 });
    await logIn(app, one, { from: office });
    await logIn(app, other, { from: ofOther });
    time.pass({ hours: 24 * 89 });
    await alreadyCounted(30, rules.account, one.username);
    const statusFrom = async (from: string) => (await logIn(app, one, { from })).statusCode;
    expect(await statusFrom(freshAddress())).toBe(429);
    expect(await statusFrom(formerOffice)).toBe(429);
    expect(await statusFrom(ofOther)).toBe(429);
    expect(await statusFrom(office)).toBe(200);
  });
});

describe('the stored sign-in attempts', () => {
  test('contain neither usernames nor addresses', async () => {
    const { username, password } = await newcomer(app, { username: 'kept-name' });
    await logIn(app, { username, password }, { from: '192.0.2.211' });
    await guess(username, '192.0.2.211');
    const kept = JSON.stringify([
      await app.db.selectFrom('sign_in_attempts').selectAll().execute(),
      await app.db.selectFrom('familiar_addresses').selectAll().execute(),
    ]);
    expect(kept).not.toContain('kept-name');
    expect(kept).not.toContain('192.0.2.211');
  });

  test('are deleted once they no longer count', async () => {
    await guess(someName(), freshAddress());
    const { username, password } = await newcomer(app);
    await logIn(app, { username, password });
    const count = async (table: 'sign_in_attempts' | 'familiar_addresses') =>
      (await app.db.selectFrom(table).selectAll().execute()).length;
    const forget = () => deleteOldAttempts(app.db, time.clock());
    time.pass({ minutes: 59 });
    await forget();
    expect(await count('sign_in_attempts')).toBeGreaterThan(0);
    time.pass({ hours: 2 });
    await forget();
    expect(await count('sign_in_attempts')).toBe(0);
    expect(await count('familiar_addresses')).toBeGreaterThan(0);
    time.pass({ hours: 24 * 91 });
    await forget();
    expect(await count('familiar_addresses')).toBe(0);
  });
});
