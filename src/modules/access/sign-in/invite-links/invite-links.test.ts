import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { countAttempts } from '../../../../../test/support/attempts.ts';
import { person } from '../../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import {
  cookieOf,
  freshAddress,
  goodPassword,
  logIn,
  movableClock,
} from '../../../../../test/support/visitor.ts';
import { writeSetting } from '../../settings/index.ts';
import { rules } from '../attempts/throttle.ts';
import { signIn } from '../index.ts';

const time = movableClock();
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: time.clock });
});

const links = '/api/admin/invite-link/tokens';
const inDays = (days: number) => new Date(time.clock().getTime() + days * 86_400_000).toISOString();

const create = (payload: object = {}) =>
  app.ask(`POST ${links}`, {
    payload: { name: 'Spring intake', expiresAt: inDays(7), ...payload },
  });
const created = async (payload?: object) =>
  (await create(payload)).json() as { id: number; secret: string; url: string };
const change = (token: string | number, payload: object) =>
  app.ask(`PUT ${links}/${token}`, { payload });
const validate = (secret: string) => app.app.inject(`/invite/${secret}/validate`);

let joined = 0;
const signUpInput = () => {
  joined += 1;
  return {
    name: `Joiner ${joined}`,
    email: `joiner-${joined}@example.com`,
    password: goodPassword,
  };
};
const signUp = (secret: string, payload: object = signUpInput(), from = freshAddress()) =>
  app.app.inject({
    method: 'POST',
    url: `/invite/${secret}/signup`,
    payload,
    remoteAddress: from,
  });

const role = {
  id: 3,
  name: 'Viewer',
  type: 'root',
  description: expect.any(String),
};

describe('creating an invite link', () => {
  test('returns the secret once; events, lists and the database do not contain it', async () => {
    const response = await create({ name: 'Once' });
    expect(response.statusCode).toBe(201);
    const link = response.json();
    expect(link).toEqual({
      id: expect.any(Number),
      secret: expect.stringMatching(/^[0-9a-f]{56}$/),
      url: `http://localhost:4242/new-user?invite=${link.secret}`,
      name: 'Once',
      enabled: true,
      expiresAt: inDays(7),
      createdAt: time.clock().toISOString(),
      createdBy: 'admin',
      role,
      users: [],
    });
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'public-signup-token-created',
        project: null,
        environment: null,
        data: {
          id: link.id,
          name: 'Once',
          enabled: true,
          expiresAt: inDays(7),
          createdAt: time.clock().toISOString(),
          createdBy: 'admin',
          userId: expect.any(Number),
          role: { id: 3, name: 'Viewer' },
        },
        preData: null,
      },
    ]);
    const masked = { ...link, secret: '*****', url: null };
    expect((await app.ask(`GET ${links}`)).json().tokens).toContainEqual(masked);
    expect((await app.ask(`GET ${links}/${link.id}`)).json()).toEqual(masked);
    expect((await app.ask(`GET ${links}/${link.secret}`)).json()).toEqual(masked);
    const stored = JSON.stringify(await app.db.selectFrom('invite_links').selectAll().execute());
    expect(stored).not.toContain(link.secret);
  });

  test.each([
    [{ name: ' ', expiresAt: 'soon' }, ['/body/name', '/body/expiresAt']],
    [{ name: 'x'.repeat(256) }, ['/body/name']],
    [{ expiresAt: '2026-13-01T00:00:00Z' }, ['/body/expiresAt']],
    [{ expiresAt: '2027-03-02T09:00:00Z' }, ['/body/expiresAt']],
    [{ expiresAt: '2026-03-02T08:59:59Z' }, ['/body/expiresAt']],
    [{ name: 7, expiresAt: null }, ['/body/name', '/body/expiresAt']],
  ])('rejects %j and records nothing', async (payload, paths) => {
    const before = await countEvents(app.db);
    const response = await create(payload);
    expect(response.statusCode).toBe(400);
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('limits the expiry to 31 days', async () => {
    expect((await create({ expiresAt: inDays(31) })).statusCode).toBe(201);
    expect((await create({ expiresAt: inDays(31.01) })).statusCode).toBe(400);
    const leapSecond = `${inDays(3).slice(0, 10)}T23:59:60Z`;
    expect((await create({ expiresAt: leapSecond })).statusCode).toBe(400);
  });

  test('requires an administrator, as do reading and changing one', async () => {
    const { id } = await created();
    const editor = await person(app, { rootRole: 2 });
    for (const request of [
      `GET ${links}`,
      `POST ${links}`,
      `GET ${links}/${id}`,
      `PUT ${links}/${id}`,
    ] as const) {
      const refused = await editor.ask(request);
      expect([refused.statusCode, refused.json().name]).toEqual([403, 'NoAccessError']);
    }
  });
});

describe('changing an invite link', () => {
  test('disables and enables it and changes its expiry', async () => {
    const { id, secret } = await created({ name: 'Changing' });
    const off = await change(id, { enabled: false });
    expect(off.statusCode).toBe(200);
    expect(off.json()).toMatchObject({ id, enabled: false, secret: '*****', role });
    expect(await recordedBy(app.db, off)).toMatchObject([
      {
        type: 'public-signup-token-updated',
        data: { id, name: 'Changing', enabled: false },
        preData: { id, name: 'Changing', enabled: true },
      },
    ]);
    expect((await validate(secret)).statusCode).toBe(404);
    const moved = await change(secret, { enabled: true, expiresAt: inDays(2) });
    expect(moved.json()).toMatchObject({ enabled: true, expiresAt: inDays(2) });
    expect((await validate(secret)).statusCode).toBe(200);
    expect(JSON.stringify(await recordedBy(app.db, moved))).not.toContain(secret);
  });

  test('records nothing if nothing changes', async () => {
    const { id } = await created();
    const same = await change(id, { enabled: true });
    expect([same.statusCode, await recordedBy(app.db, same)]).toEqual([200, []]);
    const empty = await change(id, {});
    expect([empty.statusCode, await recordedBy(app.db, empty)]).toEqual([200, []]);
  });

  test('keeps both of two concurrent changes', async () => {
    const { id } = await created();
    await Promise.all([change(id, { enabled: false }), change(id, { expiresAt: inDays(3) })]);
    expect((await app.ask(`GET ${links}/${id}`)).json()).toMatchObject({
      enabled: false,
      expiresAt: inDays(3),
    });
  });

  test('rejects an expiry after 31 days but allows one in the past', async () => {
    const { id, secret } = await created();
    expect((await change(id, { expiresAt: inDays(40) })).statusCode).toBe(400);
    expect((await change(id, { enabled: 'no' })).statusCode).toBe(400);
    expect((await change(id, { expiresAt: inDays(-1) })).statusCode).toBe(200);
    expect((await validate(secret)).statusCode).toBe(404);
  });

  test.each(['999999', '99999999999', 'f'.repeat(56), 'x'])('returns 404 for %s', async (token) => {
    const read = await app.ask(`GET ${links}/${token}`);
    expect([read.statusCode, read.json().name]).toEqual([404, 'NotFoundError']);
    expect((await change(token, { enabled: false })).statusCode).toBe(404);
    expect(read.body).not.toContain('f'.repeat(56));
  });
});

describe('signing up with an invite link', () => {
  test("creates a viewer who can sign in, and records it as the system's action", async () => {
    const { id, secret } = await created({ name: 'For Ada' });
    expect((await validate(secret)).body).toBe('');
    const response = await signUp(secret, {
      username: 'ada',
      email: 'ada@example.com',
      name: 'Ada',
      password: goodPassword,
      rootRole: 1,
    });
    expect(response.statusCode).toBe(201);
    const user = response.json();
    expect(user).toMatchObject({ username: 'ada', email: 'ada@example.com', name: 'Ada' });
    expect(user.rootRole).toBe(3);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'user-created', data: { id: user.id, email: 'ada@example.com', rootRole: 3 } },
      {
        type: 'public-signup-token-user-added',
        data: { id, name: 'For Ada', userId: user.id },
        preData: null,
      },
    ]);
    const events = await app.db
      .selectFrom('events')
      .where('request_id', '=', String(response.headers['x-request-id']))
      .selectAll()
      .execute();
    expect(new Set(events.map(({ created_by }) => created_by))).toEqual(new Set(['burgee-system']));
    expect(JSON.stringify(events)).not.toContain(secret);
    expect(JSON.stringify(events)).not.toContain(goodPassword);
    expect(response.body).not.toContain(goodPassword);
    expect((await app.ask(`GET ${links}/${id}`)).json().users).toEqual([
      { id: user.id, name: 'Ada', username: 'ada', email: 'ada@example.com' },
    ]);
    const credentials = { username: 'ada@example.com', password: goodPassword };
    expect(cookieOf(await logIn(app, credentials))).toContain('burgee-session=');
  });

  test('returns the same 404 for a link that is unknown, disabled or expired', async () => {
    const off = await created();
    await change(off.id, { enabled: false });
    const over = await created({ expiresAt: inDays(1) });
    time.pass({ hours: 24 });
    const before = await countEvents(app.db);
    const bodies = new Set<string>();
    for (const secret of ['nonsense', off.secret, over.secret, '%F0%9F%98%80']) {
      for (const response of [await validate(secret), await signUp(secret)]) {
        expect(response.statusCode).toBe(404);
        bodies.add(JSON.stringify({ ...response.json(), id: '' }));
      }
    }
    expect(bodies.size).toBe(1);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('reports all validation errors, and a weak password without repeating it', async () => {
    const { secret } = await created();
    const malformed = await signUp(secret, { email: 'no address', password: 7, username: ' a' });
    expect(malformed.statusCode).toBe(400);
    expect(
      malformed
        .json()
        .details.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['/body/email', '/body/name', '/body/password', '/body/username']);
    const weak = await signUp(secret, { ...signUpInput(), password: 'kurz-kurz' });
    expect([weak.statusCode, weak.json().details[0].path]).toEqual([400, '/body/password']);
    expect(weak.body).not.toContain('kurz-kurz');
  });

  test('returns 409 for a taken email, also to one of two concurrent requests', async () => {
    const { id, secret } = await created();
    const input = signUpInput();
    const answers = await Promise.all([signUp(secret, input), signUp(secret, input)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
    const taken = await signUp(secret, { ...signUpInput(), email: input.email.toUpperCase() });
    expect([taken.statusCode, taken.json().name]).toEqual([409, 'NameExistsError']);
    expect((await app.ask(`GET ${links}/${id}`)).json().users).toHaveLength(1);
  });

  test('returns 403 while password sign-in is disabled', async () => {
    const { secret } = await created();
    const set = (disabled: boolean) =>
      app.transact(testActor, (tx) => writeSetting(tx, 'unleash.auth.simple', { disabled }));
    await set(true);
    const refused = await signUp(secret);
    await set(false);
    expect([refused.statusCode, refused.json().name]).toEqual([403, 'InvalidOperationError']);
    expect((await signUp(secret)).statusCode).toBe(201);
  });

  test('is limited to 20 attempts per minute and address', async () => {
    const from = freshAddress();
    const count = { subject: from, count: 19, now: time.clock() };
    await countAttempts(app, rules.signUpPerMinute, count);
    expect((await signUp('nonsense', signUpInput(), from)).statusCode).toBe(404);
    expect((await signUp('nonsense', signUpInput(), from)).statusCode).toBe(429);
    const { secret } = await created();
    const refused = await signUp(secret, signUpInput(), from);
    expect(refused.headers['retry-after']).toBe('60');
    time.pass({ minutes: 1 });
    expect((await signUp(secret, signUpInput(), from)).statusCode).toBe(201);
  });
});

test('erasing a user erases their name as the creator of invite links', async () => {
  const admin = await person(app, { rootRole: 1 });
  const payload = { name: 'By somebody', expiresAt: inDays(1) };
  const { id } = (await admin.ask(`POST ${links}`, { payload })).json();
  await app.transact(testActor, async (tx) => {
    await signIn.forget?.(tx, admin.id);
  });
  expect((await app.ask(`GET ${links}/${id}`)).body).not.toContain(admin.name);
});
