import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { countAttempts } from '../../../../../test/support/attempts.ts';
import { mailbox } from '../../../../../test/support/mailbox.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import {
  askWith,
  cookieOf,
  freshAddress,
  logIn,
  movableClock,
  newcomer,
} from '../../../../../test/support/visitor.ts';
import { createPasswordLink, createPerson } from '../../users/index.ts';
import { rules } from '../attempts/throttle.ts';

const time = movableClock();
/** A busy machine takes longer than the default of one second. */
const patience = { timeout: 60_000 };

let app: TestApp;
let box: Awaited<ReturnType<typeof mailbox>>;
beforeAll(async () => {
  box = await mailbox();
  app = await testApp({ clock: time.clock, config: { mail: box.settings } });
});

const fresh = 'quiet river stones';

const askForLink = (email: unknown, { app: server = app, from = freshAddress() } = {}) =>
  server.app.inject({
    method: 'POST',
    url: '/auth/reset/password-email',
    payload: { email },
    remoteAddress: from,
  });
/** Uses an instance that stops afterwards, because a stop waits for the mails. */
async function askUntilSent(emails: readonly string[]) {
  const sending = await appOn(app, { clock: time.clock, config: { mail: box.settings } });
  const answers = await Promise.all(emails.map((email) => askForLink(email, { app: sending })));
  await sending.app.close();
  return answers;
}
const validate = (token: string) =>
  app.app.inject({ url: '/auth/reset/validate', query: { token } });
const setPassword = (token: string, password: string, from = freshAddress()) =>
  app.app.inject({
    method: 'POST',
    url: '/auth/reset/password',
    payload: { token, password },
    remoteAddress: from,
  });
const linkFor = async (id: number, purpose: 'reset' | 'invitation' = 'reset') =>
  (await app.transact(testActor, (tx) => createPasswordLink(tx, id, purpose))).secret;
const mailTo = (email: string) => box.mails.filter((mail) => mail.includes(`To: ${email}`));

describe('requesting a password reset', () => {
  test('sends a link whose use sets a new password and ends all sessions', async () => {
    const email = 'forgetful@example.com';
    const somebody = await newcomer(app, { email });
    const cookie = cookieOf(await logIn(app, somebody));
    const before = await countEvents(app.db);
    const response = await askForLink('Forgetful@Example.com');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    await expect.poll(() => mailTo(email), patience).toHaveLength(1);
    const [, secret = ''] =
      /http:\/\/localhost:4242\/reset-password\?token=([0-9a-f]{56})/.exec(
        mailTo(email)[0] ?? '',
      ) ?? [];
    expect(await countEvents(app.db)).toBe(before);

    expect((await setPassword(secret, fresh)).statusCode).toBe(200);
    expect((await askWith(app, cookie, 'GET /api/admin/user/sessions')).statusCode).toBe(401);
    expect((await logIn(app, somebody)).statusCode).toBe(401);
    expect((await logIn(app, { ...somebody, password: fresh })).statusCode).toBe(200);
  });

  test('returns the same for an unknown email and for a username that looks like an email', async () => {
    await newcomer(app, { username: 'looks@like.mail' });
    const known = await newcomer(app, { email: 'known@example.com' });
    const answers = await askUntilSent([
      'nobody@example.com',
      'looks@like.mail',
      'known@example.com',
    ]);
    for (const { statusCode, body, headers } of answers) {
      expect([statusCode, body]).toEqual([200, '']);
      expect(Object.keys(headers)).toEqual(Object.keys(answers[0]?.headers ?? {}));
    }
    expect(mailTo('known@example.com')).toHaveLength(1);
    expect(mailTo('nobody@example.com')).toEqual([]);
    expect(mailTo('looks@like.mail')).toEqual([]);
    const links = await app.db.selectFrom('password_links').select('user_id').execute();
    expect(links.map(({ user_id }) => user_id)).toContain(known.id);
  });

  test('finds the email regardless of its Unicode normalization', async () => {
    const { id } = await newcomer(app, { email: 'ren\u00e9@example.com' });
    expect((await askForLink('Rene\u0301@example.com')).statusCode).toBe(200);
    const links = app.db.selectFrom('password_links').where('user_id', '=', id).select('user_id');
    await expect.poll(() => links.execute(), patience).toHaveLength(1);
  });

  test('returns the same without mail settings, creates no link, and is not offered', async () => {
    const silent = await appOn(app, { clock: time.clock });
    const canReset = async (server: TestApp) =>
      (await server.app.inject('/auth/providers')).json().resetByEmail;
    expect([await canReset(app), await canReset(silent)]).toEqual([true, false]);
    const { id } = await newcomer(app, { email: 'unreachable@example.com' });
    const response = await askForLink('unreachable@example.com', { app: silent });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    await silent.app.close();
    const links = app.db.selectFrom('password_links').where('user_id', '=', id).select('user_id');
    expect(await links.execute()).toEqual([]);
  });

  test('sends at most five emails to an address in 15 minutes', async () => {
    const email = 'pestered@example.com';
    await newcomer(app, { email });
    const answers = await askUntilSent(Array<string>(8).fill(email));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
    expect(mailTo(email)).toHaveLength(5);
    time.pass({ minutes: 15 });
    await askForLink(email);
    await expect.poll(() => mailTo(email)).toHaveLength(6);
  });

  test('is limited to 20 requests in 15 minutes per IP address', async () => {
    const from = freshAddress();
    const count = { subject: from, count: 19, now: time.clock() };
    await countAttempts(app, rules.resetPerAddress, count);
    expect((await askForLink('nobody-1@example.com', { from })).statusCode).toBe(200);
    expect((await askForLink('nobody-2@example.com', { from })).statusCode).toBe(429);
    const refused = await askForLink('x@example.com', { from });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  test.each([undefined, 'no address', 7, 'a@b@c', 'x@y.z\r\nBcc: all@example.com'])(
    'rejects the email %j with 400',
    async (email) => {
      const response = await askForLink(email);
      expect([response.statusCode, response.json().details[0].path]).toEqual([400, '/body/email']);
    },
  );
});

describe('a password link', () => {
  test('can be validated, which returns its user and root role', async () => {
    const email = 'linked@example.com';
    const { id, username } = await newcomer(app, { email, rootRole: 2 });
    const secret = await linkFor(id);
    const response = await validate(secret);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      id,
      token: secret,
      createdBy: testActor.name,
      name: expect.any(String),
      email,
      username,
      rootRole: 2,
      role: { id: 2, name: 'Editor', type: 'root', description: expect.any(String) },
    });
  });

  test('works once, even for concurrent requests', async () => {
    const somebody = await newcomer(app);
    const secret = await linkFor(somebody.id);
    const inputs = Array.from({ length: 6 }, (_, index) => `quiet river stones ${index}`);
    const answers = await Promise.all(inputs.map((password) => setPassword(secret, password)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      200,
      ...Array(5).fill(404),
    ]);
    const winner = answers.findIndex(({ statusCode }) => statusCode === 200);
    const { username } = somebody;
    expect((await logIn(app, { username, password: inputs[winner] })).statusCode).toBe(200);
    expect((await validate(secret)).statusCode).toBe(404);
  });

  test('invalidates the other links of the user when used', async () => {
    const { id } = await newcomer(app);
    const [one, other] = [await linkFor(id), await linkFor(id)];
    expect((await setPassword(one, fresh)).statusCode).toBe(200);
    expect((await setPassword(other, fresh)).statusCode).toBe(404);
  });

  test('records a user update without password or secret when used', async () => {
    const { id } = await newcomer(app);
    const secret = await linkFor(id);
    time.pass({ seconds: 1 });
    const response = await setPassword(secret, fresh);
    const events = await recordedBy(app.db, response);
    expect(events).toMatchObject([{ type: 'user-updated', data: { id } }]);
    expect(JSON.stringify(events)).not.toContain(fresh);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  test.each(['reset', 'invitation'] as const)(
    'records its user as the author of the event (%s)',
    async (purpose) => {
      const { id, username } = await newcomer(app);
      time.pass({ seconds: 1 });
      const from = freshAddress();
      const response = await setPassword(await linkFor(id, purpose), fresh, from);
      const { rows } = await sql`
      select created_by as by, created_by_user_id as id, ip, summary from events
      where request_id = ${response.headers['x-request-id']}`.execute(app.db);
      expect(rows).toEqual([
        {
          by: username,
          id,
          ip: from,
          summary: `**${username}** changed their password`,
        },
      ]);
    },
  );

  test('gets the same 404 if it is expired, unknown or of a deleted user', async () => {
    const late = await linkFor((await newcomer(app)).id);
    time.pass({ hours: 25 });
    const gone = await newcomer(app);
    const orphan = await linkFor(gone.id);
    await app.db
      .updateTable('users')
      .set({ deleted_at: new Date() })
      .where('id', '=', gone.id)
      .execute();
    const bodies = new Set<string>();
    for (const secret of [late, orphan, 'nonsense', '']) {
      for (const response of [await validate(secret), await setPassword(secret, fresh)]) {
        expect(response.statusCode).toBe(404);
        bodies.add(JSON.stringify({ ...response.json(), id: '' }));
      }
    }
    expect(bodies.size).toBe(1);
  });

  test('stays valid after a rejected weak password', async () => {
    const { id, username } = await newcomer(app);
    const secret = await linkFor(id);
    for (const weak of ['short', `${username}-and-more`, 'aaaaaaaaaaaa']) {
      const refused = await setPassword(secret, weak);
      expect([refused.statusCode, refused.json().details[0].path]).toEqual([400, '/body/password']);
      expect(refused.body).not.toContain(weak);
    }
    expect((await setPassword(secret, fresh)).statusCode).toBe(200);
  });

  test('works the same for an invitation', async () => {
    const { id } = await app.transact(testActor, (tx) =>
      createPerson(tx, { username: 'invited', rootRole: 3 }),
    );
    const secret = await linkFor(id, 'invitation');
    expect((await validate(secret)).json()).toMatchObject({ id, username: 'invited' });
    expect((await setPassword(secret, fresh)).statusCode).toBe(200);
    expect((await logIn(app, { username: 'invited', password: fresh })).statusCode).toBe(200);
  });

  test('cannot be guessed more than 20 times per minute', async () => {
    const from = freshAddress();
    const count = { subject: from, count: 19, now: time.clock() };
    await countAttempts(app, rules.linkPerAddress, count);
    expect((await setPassword('guess-1', fresh, from)).statusCode).toBe(404);
    expect((await setPassword('guess-2', fresh, from)).statusCode).toBe(429);
  });
});

test('a password can be validated before it is set', async () => {
  const check = (password: unknown) =>
    app.app.inject({
      method: 'POST',
      url: '/auth/reset/validate-password',
      payload: { password },
    });
  expect((await check(fresh)).statusCode).toBe(200);
  const weak = await check('password1');
  expect(weak.statusCode).toBe(400);
  expect(weak.json().details.length).toBeGreaterThan(1);
  expect(weak.body).not.toContain('password1');
  expect((await check(undefined)).statusCode).toBe(400);
});
