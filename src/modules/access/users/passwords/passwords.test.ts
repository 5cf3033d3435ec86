import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { distinctPathsOf, pathsOf } from '../../../../../test/support/faults.ts';
import { type Person, person } from '../../../../../test/support/people.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import { createSession, listActiveSessions } from '../../gate/index.ts';
import {
  createPasswordLink,
  findPasswordLink,
  findPersonForSignIn,
  hashPassword,
  takePasswordLink,
  verifyPassword,
} from '../index.ts';
import { hashOfNobody } from './hash.ts';

const clock = { ms: Date.now() };
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: () => new Date(clock.ms) });
});

const admin = '/api/admin/user-admin';
const good = 'a fine long phrase 17';
const better = 'an even better one 18';
const limits = { sessionTtlHours: 48, sessionIdleHours: 48 };

const assign = (id: number | string, payload: object) =>
  app.ask(`POST ${admin}/${id}/change-password`, { payload });

const hasPassword = async ({ name }: Person, password: string) => {
  const found = await findPersonForSignIn(app.db, name);
  return verifyPassword(found?.passwordHash ?? null, password);
};

const begin = ({ id }: Person) =>
  app.transact(testActor, (tx) => createSession(tx, { userId: id, userAgent: 'test', limits }));

const sessionsOf = async ({ id }: Person) =>
  (await listActiveSessions(app.db, id, new Date(clock.ms), limits)).map((session) => session.id);

const facts = ({ id, name }: Person) => ({ id, name, username: name, email: null, rootRole: 3 });

describe('passwords managed by an administrator', () => {
  test('end the sessions and links of the user when set', async () => {
    const somebody = await person(app);
    await begin(somebody);
    const link = await app.transact(testActor, (tx) =>
      createPasswordLink(tx, somebody.id, 'invitation'),
    );
    const response = await assign(somebody.id, {
      password: good,
      confirmPassword: good,
      keepPersonalTokens: true,
    });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await hasPassword(somebody, good)).toBe(true);
    expect(await sessionsOf(somebody)).toEqual([]);
    expect(await findPasswordLink(app.db, link.secret, new Date(clock.ms))).toBeUndefined();
    const at = new Date(clock.ms).toISOString();
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'user-updated',
        project: null,
        environment: null,
        data: { ...facts(somebody), passwordChangedAt: at },
        preData: { ...facts(somebody), passwordChangedAt: null },
      },
    ]);
    clock.ms += 1000;
    const second = await assign(somebody.id, { password: better, keepPersonalTokens: true });
    expect(await recordedBy(app.db, second)).toMatchObject([
      {
        data: { passwordChangedAt: new Date(clock.ms).toISOString() },
        preData: { passwordChangedAt: at },
      },
    ]);
    expect(await hasPassword(somebody, good)).toBe(false);
  });

  test('end the personal access tokens of the user when set, unless keepPersonalTokens is true', async () => {
    const [careful, hasty] = [await person(app), await person(app)];
    await assign(careful.id, { password: good, keepPersonalTokens: true });
    expect((await careful.ask('GET /api/admin/user')).statusCode).toBe(200);
    const response = await assign(hasty.id, { password: good });
    expect((await hasty.ask('GET /api/admin/user')).statusCode).toBe(401);
    const recorded = await recordedBy(app.db, response);
    expect(recorded.map(({ type }) => type)).toEqual(['user-updated', 'pat-deleted']);
  });

  test('are rejected if weak, or for a service account or an unknown user', async () => {
    const somebody = await person(app);
    const bad = await assign(somebody.id, {
      password: somebody.name.slice(0, 9),
      confirmPassword: 'x',
    });
    expect(bad.statusCode).toBe(400);
    expect(pathsOf(bad)).toEqual(['/body/confirmPassword']);
    for (const password of ['short', `my ${somebody.name} x`, 'password123']) {
      const response = await assign(somebody.id, { password });
      expect([response.statusCode, distinctPathsOf(response)]).toEqual([400, ['/body/password']]);
      expect(response.body).not.toContain(password);
    }
    expect((await findPersonForSignIn(app.db, somebody.name))?.passwordHash).toBeNull();
    const service = await person(app, { kind: 'service account' });
    for (const id of [service.id, 2_000_000_000, 'x']) {
      expect((await assign(id, { password: good })).statusCode).toBe(404);
    }
  });

  test('can be reset with a link that is valid for a day, which is recorded without its secret', async () => {
    const somebody = await person(app);
    const response = await app.ask(`POST ${admin}/reset-password`, {
      payload: { id: somebody.id },
    });
    expect(response.statusCode).toBe(200);
    const { resetPasswordUrl, ...rest } = response.json();
    expect(rest).toEqual({ emailSent: false });
    expect(resetPasswordUrl).toMatch(
      /^http:\/\/localhost:4242\/reset-password\?token=[0-9a-f]{56}$/,
    );
    const secret = resetPasswordUrl.split('=')[1];
    const expiresAt = new Date(clock.ms + 24 * 3_600_000);
    expect(await findPasswordLink(app.db, secret, new Date(clock.ms))).toMatchObject({
      person: { id: somebody.id },
      purpose: 'reset',
      expiresAt,
    });
    expect(await findPasswordLink(app.db, secret, expiresAt)).toBeUndefined();
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'user-updated',
        project: null,
        environment: null,
        data: { ...facts(somebody), resetLinkExpiresAt: expiresAt.toISOString() },
        preData: facts(somebody),
      },
    ]);
    const log = (await app.ask('GET /api/admin/search/events?limit=1000')).body;
    expect(log).not.toContain(secret);
    for (const id of [(await person(app, { kind: 'service account' })).id, 2_000_000_000]) {
      const unknown = await app.ask(`POST ${admin}/reset-password`, { payload: { id } });
      expect([unknown.statusCode, unknown.json().name]).toEqual([404, 'NotFoundError']);
    }
  });

  test('can be reset by user id, username or email', async () => {
    const somebody = await person(app);
    const other = (
      await app.ask(`POST ${admin}`, { payload: { email: 'Reset.Me@example.com', rootRole: 3 } })
    ).json();
    for (const [name, id] of [
      [String(somebody.id), somebody.id],
      [somebody.name.toUpperCase(), somebody.id],
      ['reset.me@Example.com', other.id],
    ]) {
      const response = await app.ask(`POST ${admin}/reset-password`, { payload: { id: name } });
      expect(response.statusCode, response.body).toBe(200);
      expect(await recordedBy(app.db, response)).toMatchObject([{ data: { id } }]);
      const secret = response.json().resetPasswordUrl.split('=')[1];
      expect(await findPasswordLink(app.db, secret, new Date(clock.ms))).toMatchObject({
        person: { id },
      });
    }
    const service = await person(app, { kind: 'service account' });
    for (const id of ['nobody@example.com', '2000000000', '99999999999', '0', service.name]) {
      const unknown = await app.ask(`POST ${admin}/reset-password`, { payload: { id } });
      expect([unknown.statusCode, unknown.json().name]).toEqual([404, 'NotFoundError']);
    }
    for (const id of ['', 0, -1, 1.5, null, {}, 'x'.repeat(256), 3_000_000_000]) {
      const refused = await app.ask(`POST ${admin}/reset-password`, { payload: { id } });
      expect([refused.statusCode, distinctPathsOf(refused)]).toEqual([400, ['/body/id']]);
    }
  });
});

describe('validating a password', () => {
  test('reports all problems of a weak one, to any user', async () => {
    const viewer = await person(app);
    const validate = (password: unknown) =>
      viewer.ask(`POST ${admin}/validate-password`, { payload: { password } });
    expect([(await validate(good)).statusCode, (await validate(good)).body]).toEqual([200, '']);
    const refused = await validate('aaaaa');
    expect([refused.statusCode, pathsOf(refused)]).toEqual([
      400,
      ['/body/password', '/body/password'],
    ]);
    expect((await validate(undefined)).statusCode).toBe(400);
  });
});

describe('a password link', () => {
  test('is used once by concurrent requests', async () => {
    const somebody = await person(app);
    const { secret } = await app.transact(testActor, (tx) =>
      createPasswordLink(tx, somebody.id, 'reset'),
    );
    const taken = await Promise.all(
      [1, 2, 3, 4].map(() => app.transact(testActor, (tx) => takePasswordLink(tx, secret))),
    );
    expect(taken.filter((each) => each !== undefined)).toMatchObject([{ id: somebody.id }]);
    expect(await findPasswordLink(app.db, secret, new Date(clock.ms))).toBeUndefined();
  });

  test('cannot be used after it expired', async () => {
    const somebody = await person(app);
    const { secret } = await app.transact(testActor, (tx) =>
      createPasswordLink(tx, somebody.id, 'reset'),
    );
    clock.ms += 24 * 3_600_000;
    expect(await app.transact(testActor, (tx) => takePasswordLink(tx, secret))).toBeUndefined();
  });
});

describe('password hashing', () => {
  test('uses the parameters recommended by OWASP outside of tests', async () => {
    // Created by the first start, before any test.
    const { hash } = await app.db
      .selectFrom('users')
      .where('username', '=', 'admin')
      .select('password_hash as hash')
      .executeTakeFirstOrThrow();
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('does the same work for unknown users', async () => {
    const { hash } = await hashPassword(good);
    const algorithmAndCost = (text: string) => text.split('$').slice(0, 4);
    expect(algorithmAndCost(hashOfNobody())).toEqual(algorithmAndCost(hash));
    expect(await verifyPassword(null, good)).toBe(false);
  });

  test('returns 503 at once if too many wait, and serves those who wait', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 80 }, () => verifyPassword(null, good)),
    );
    const served = attempts.filter(({ status }) => status === 'fulfilled');
    const turnedAway = attempts.filter((each) => each.status === 'rejected');
    expect([served.length, turnedAway.length]).toEqual([63, 17]);
    expect(turnedAway[0]?.reason).toMatchObject({ status: 503, name: 'UnavailableError' });
    expect(await verifyPassword((await hashPassword(good)).hash, good)).toBe(true);
  });
});
