import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { distinctPathsOf, pathsOf } from '../../../../../test/support/faults.ts';
import { customRole, person } from '../../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const admin = '/api/admin/user-admin';
const create = (payload: object) => app.ask(`POST ${admin}`, { payload });
const change = (id: number, payload: object) => app.ask(`PUT ${admin}/${id}`, { payload });
const read = async (id: number) => (await app.ask(`GET ${admin}/${id}`)).json();
const imageUrl = (id: number) => `http://localhost:4242/avatars/${id}.svg`;
const link = /^http:\/\/localhost:4242\/new-user\?token=[0-9a-f]{56}$/;

const linksOf = (id: number) =>
  app.db
    .selectFrom('password_links')
    .where('user_id', '=', id)
    .select([
      'purpose',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'secret_hash as hash',
    ])
    .execute();

describe('creating a user', () => {
  test('returns an invite link, valid for a week, if no password is given', async () => {
    const before = Date.now();
    const response = await create({ email: 'Ada@Example.com', name: 'Ada L.', rootRole: 2 });
    const after = Date.now();
    expect(response.statusCode).toBe(201);
    const { id, createdAt, inviteLink, ...rest } = response.json();
    expect(rest).toEqual({
      name: 'Ada L.',
      email: 'Ada@Example.com',
      imageUrl: imageUrl(id),
      rootRole: 2,
      accountType: 'User',
      isAPI: false,
      emailSent: false,
    });
    expect(inviteLink).toMatch(link);
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(after);
    const [stored] = await linksOf(id);
    expect(stored?.purpose).toBe('invitation');
    expect(Number(stored?.expiresAt) - Number(stored?.createdAt)).toBe(7 * 86_400_000);
    expect(stored?.hash.toString('hex')).not.toContain(inviteLink.split('=')[1]);
    const { emailSent: _, ...user } = rest;
    expect(await read(id)).toEqual({ id, createdAt, ...user });
    const data = { id, name: 'Ada L.', username: null, email: 'Ada@Example.com', rootRole: 2 };
    expect(await recordedBy(app.db, response)).toEqual([
      { type: 'user-created', project: null, environment: null, data, preData: null },
    ]);
  });

  test('returns no link if a password is given, which appears in no response or event', async () => {
    const password = 'quite-a-canary-phrase-88';
    const response = await create({ username: 'grace', password, rootRole: 'Viewer' });
    expect(response.statusCode).toBe(201);
    const { id } = response.json();
    expect(response.json()).toMatchObject({ username: 'grace', rootRole: 3, emailSent: false });
    expect(response.json()).not.toHaveProperty('inviteLink');
    expect(response.json()).not.toHaveProperty('name');
    expect(await linksOf(id)).toEqual([]);
    const { hash } = await app.db
      .selectFrom('users')
      .where('id', '=', id)
      .select('password_hash as hash')
      .executeTakeFirstOrThrow();
    expect(hash).toMatch(/^\$argon2id\$v=19\$/);
    const events = (await app.ask('GET /api/admin/search/events?limit=1000')).body;
    const list = (await app.ask(`GET ${admin}`)).body;
    for (const text of [response.body, events, list]) expect(text).not.toContain(password);
    expect(`${events}${list}`).not.toContain('argon2');
  });

  test('accepts a custom root role but no project role', async () => {
    const custom = await customRole(app, 'root-custom', [{ name: 'CREATE_PROJECT' }]);
    const project = await customRole(app, 'custom', [{ name: 'CREATE_FEATURE' }]);
    const response = await create({ username: 'custom-rooted', rootRole: custom });
    expect(response.json()).toMatchObject({ rootRole: custom });
    for (const rootRole of [project, 4, 'Owner', 99_999, 'Nobody']) {
      const refused = await create({ username: 'not-rooted', rootRole });
      expect([refused.statusCode, pathsOf(refused)]).toEqual([400, ['/body/rootRole']]);
    }
  });

  test('reports all validation errors together without repeating the password', async () => {
    const password = 'aaaaaaa';
    const response = await create({ email: 'no address', username: ' a', name: 'x\n', password });
    expect(response.statusCode).toBe(400);
    expect(new Set(distinctPathsOf(response))).toEqual(
      new Set([
        '/body/email',
        '/body/username',
        '/body/name',
        '/body/password',
        '/body/rootRole',
        '/body',
      ]),
    );
    expect(response.body).not.toContain(password);
    const wrongType = await create({ username: 'typed', rootRole: 3, password: 987_654_321 });
    expect(pathsOf(wrongType)).toEqual(['/body/password']);
    expect(wrongType.body).not.toContain('987654321');
  });

  test.each([
    'ada@.example',
    'a b@example.com',
    'ada@example.com,eve@example.com',
    'Ada <ada@example.com>',
    'ada@example.com\nBcc: eve@example.com',
    '@example.com',
    'ada@',
    '',
    `${'a'.repeat(250)}@b.cd`,
  ])('rejects the email %j', async (email) => {
    const response = await create({ email, username: 'addressed', rootRole: 3 });
    expect([response.statusCode, distinctPathsOf(response)]).toEqual([400, ['/body/email']]);
  });

  test.each(['o.hara+flags@sub.example.co.uk', 'zoë@exämple.de', 'ada@localhost'])(
    'accepts the email %j',
    async (email) => {
      expect((await create({ email, rootRole: 3 })).statusCode).toBe(201);
    },
  );

  test('accepts a username with inner spaces, which must match exactly at sign-in', async () => {
    const username = 'Ada of  Lovelace';
    const created = await create({ username, password: 'quiet river stones 7', rootRole: 3 });
    expect([created.statusCode, created.json().username]).toEqual([201, username]);
    const signIn = (name: string) =>
      app.app.inject({
        method: 'POST',
        url: '/auth/simple/login',
        payload: { username: name, password: 'quiet river stones 7' },
      });
    expect((await signIn('ada of  lovelace')).statusCode).toBe(200);
    expect((await signIn('ada of lovelace')).statusCode).toBe(401);
    for (const wrong of [' ada', 'ada ', ' ', 'a\tb', 'a\u00a0b']) {
      const response = await create({ username: wrong, email: 'a@b.example', rootRole: 3 });
      expect([response.statusCode, distinctPathsOf(response)]).toEqual([400, ['/body/username']]);
    }
  });

  test("returns 409 for a name that is another user's username or email, ignoring case", async () => {
    await create({ username: 'One-Name', email: 'one@example.com', rootRole: 3 });
    const before = await countEvents(app.db);
    for (const taken of [
      { username: 'one-name' },
      { email: 'ONE@example.COM' },
      { username: 'one@example.com' },
      { username: 'fresh-name', email: 'One@Example.com' },
    ]) {
      const response = await create({ ...taken, rootRole: 3 });
      expect([response.statusCode, response.json().name]).toEqual([409, 'NameExistsError']);
    }
    expect(await countEvents(app.db)).toBe(before);
    const free = await create({ username: 'fresh-name', rootRole: 3 });
    expect(free.statusCode).toBe(201);
  });

  test("accepts the user's own email as username", async () => {
    const response = await create({
      username: 'both@example.com',
      email: 'Both@example.com',
      rootRole: 3,
    });
    expect(response.statusCode).toBe(201);
  });

  test('succeeds once for concurrent requests with one username in different case', async () => {
    const names = ['racer', 'Racer', 'RACER', 'raCer', 'racER'];
    const responses = await Promise.all(names.map((username) => create({ username, rootRole: 3 })));
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
  });
});

describe('reading users', () => {
  test('lists users by id without service accounts, and the root roles', async () => {
    const somebody = await person(app);
    const service = await person(app, { kind: 'service account' });
    const { users, rootRoles } = (await app.ask(`GET ${admin}`)).json();
    const ids = users.map(({ id }: { id: number }) => id);
    expect(ids).toContain(somebody.id);
    expect(ids).not.toContain(service.id);
    expect(ids).toEqual([...ids].sort((a: number, b: number) => a - b));
    expect(users[0]).toMatchObject({ username: 'admin', name: 'Administrator', rootRole: 1 });
    expect(rootRoles.slice(0, 3)).toEqual([
      { id: 1, name: 'Admin', type: 'root', description: expect.any(String) },
      { id: 2, name: 'Editor', type: 'root', description: expect.any(String) },
      { id: 3, name: 'Viewer', type: 'root', description: expect.any(String) },
    ]);
    const types = new Set(rootRoles.map(({ type }: { type: string }) => type));
    expect([...types].filter((type) => type !== 'root' && type !== 'root-custom')).toEqual([]);
  });

  test('returns when a user was last seen, and 404 for service accounts and unknown ids', async () => {
    const somebody = await person(app);
    expect(await read(somebody.id)).not.toHaveProperty('seenAt');
    const at = new Date('2026-01-02T03:04:05.678Z');
    await app.db
      .insertInto('last_seen')
      .values({ kind: 'account', id: somebody.id, seen_at: at })
      .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet({ seen_at: at }))
      .execute();
    expect(await read(somebody.id)).toMatchObject({ seenAt: at.toISOString() });
    const service = await person(app, { kind: 'service account' });
    for (const request of ['GET', 'PUT', 'DELETE'] as const) {
      for (const id of [service.id, 2_000_000_000, 0, -1, 99_999_999_999, 'x', '1e3']) {
        const response = await app.ask(
          `${request} ${admin}/${id}`,
          request === 'PUT' ? { payload: {} } : {},
        );
        expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
      }
    }
  });

  test('searches parts of name, username and email, and returns only those', async () => {
    const names = { username: 'needle-7', email: 'pin@haystack.example', name: 'Sewing Kit' };
    const { id } = (await create({ ...names, rootRole: 1 })).json();
    const viewer = await person(app);
    for (const q of ['NEEDLE', 'haystack', 'sewing k', 'needle-7']) {
      const found = await viewer.ask(`GET ${admin}/search?q=${encodeURIComponent(q)}`);
      expect(found.json()).toEqual([{ id, ...names, imageUrl: imageUrl(id) }]);
    }
    for (const q of ['%25', '_', '%5C', 'nobody-at-all']) {
      expect((await viewer.ask(`GET ${admin}/search?q=${q}`)).json()).toEqual([]);
    }
    for (const query of ['', '?q=']) {
      const nothing = await viewer.ask(`GET ${admin}/search${query}`);
      expect([nothing.statusCode, nothing.json()]).toEqual([200, []]);
    }
    const refused = await viewer.ask(`GET ${admin}/search?q=${'x'.repeat(256)}`);
    expect([refused.statusCode, pathsOf(refused)]).toEqual([400, ['/query/q']]);
  });

  test('returns at most 100 search results with exact matches first', async () => {
    // Inserted directly: so many concurrent requests could time out waiting for a connection.
    await app.db
      .insertInto('users')
      .values(
        Array.from({ length: 101 }, (_, index) => ({
          kind: 'person' as const,
          name: '',
          username: `crowd-${index}`,
          email: null,
          password_hash: null,
          external_subject: null,
          root_role: 3,
          created_at: new Date(),
          deleted_at: null,
        })),
      )
      .execute();
    const { id } = (await create({ email: 'crowd-@example.com', rootRole: 3 })).json();
    const found = (await app.ask(`GET ${admin}/search?q=CROWD-@example.com`)).json();
    expect(found.map((each: { id: number }) => each.id)).toEqual([id]);
    const many = (await app.ask(`GET ${admin}/search?q=crowd-`)).json();
    expect(many).toHaveLength(100);
    const { id: exact } = (await create({ username: 'crowd', rootRole: 3 })).json();
    expect((await app.ask(`GET ${admin}/search?q=crowd`)).json()[0].id).toBe(exact);
  });

  test('lists accounts and groups that can be granted a role to every user', async () => {
    const viewer = await person(app);
    const service = await person(app, { kind: 'service account' });
    const { id: groupId } = await app.db
      .insertInto('groups')
      .values({
        name: 'access-group',
        description: 'Who may',
        mappings_sso: [],
        root_role: 2,
        created_at: new Date(),
        created_by: 'test',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await app.db
      .insertInto('group_users')
      .values({ group_id: groupId, user_id: viewer.id, joined_at: new Date(), added_by: 'test' })
      .execute();
    const { groups, users } = (await viewer.ask(`GET ${admin}/access`)).json();
    expect(groups).toEqual([
      { id: groupId, name: 'access-group', description: 'Who may', userCount: 1, rootRole: 2 },
    ]);
    const known = (id: number) => users.find((user: { id: number }) => user.id === id);
    expect(known(service.id)).toMatchObject({ accountType: 'Service Account' });
    expect(known(viewer.id)).toEqual({
      id: viewer.id,
      name: viewer.name,
      username: viewer.name,
      imageUrl: imageUrl(viewer.id),
      accountType: 'User',
    });
    await app.ask(`DELETE ${admin}/${viewer.id}`);
    const later = (await app.ask(`GET ${admin}/access`)).json();
    expect(later.groups[0].userCount).toBe(0);
  });
});

describe('changing a user', () => {
  test('changes the given properties and records the previous state', async () => {
    const { id } = (await create({ email: 'before@example.com', rootRole: 3 })).json();
    const response = await change(id, {
      email: 'after@example.com',
      name: 'After',
      rootRole: 'Editor',
    });
    expect(response.statusCode).toBe(200);
    const now = await read(id);
    expect(response.json()).toEqual(now);
    expect(now).toMatchObject({ email: 'after@example.com', name: 'After', rootRole: 2 });
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'user-updated',
        project: null,
        environment: null,
        data: { id, name: 'After', username: null, email: 'after@example.com', rootRole: 2 },
        preData: { id, name: '', username: null, email: 'before@example.com', rootRole: 3 },
      },
    ]);
    expect((await create({ email: 'before@example.com', rootRole: 3 })).statusCode).toBe(201);
    expect((await create({ email: 'AFTER@example.com', rootRole: 3 })).statusCode).toBe(409);
  });

  test('records nothing if nothing changes', async () => {
    const { id } = (await create({ email: 'same@example.com', name: 'Same', rootRole: 3 })).json();
    for (const same of [{}, { email: 'same@example.com', name: 'Same', rootRole: 3 }]) {
      const response = await change(id, same);
      expect(response.json()).toMatchObject({ id, name: 'Same' });
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
  });

  test('keeps both of two concurrent changes to different fields', async () => {
    const { id } = (await create({ username: 'contested', rootRole: 3 })).json();
    await Promise.all([change(id, { name: 'Named' }), change(id, { rootRole: 2 })]);
    expect(await read(id)).toMatchObject({ name: 'Named', rootRole: 2 });
  });

  test('succeeds once when two users race for one email', async () => {
    const people = await Promise.all([person(app), person(app)]);
    const responses = await Promise.all(
      people.map(({ id }) => change(id, { email: 'wanted@example.com' })),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  test('applies a new root role to the next request', async () => {
    const somebody = await person(app);
    expect((await somebody.ask(`GET ${admin}`)).statusCode).toBe(403);
    await change(somebody.id, { rootRole: 1 });
    expect((await somebody.ask(`GET ${admin}`)).statusCode).toBe(200);
  });
});

describe('without the ADMIN permission', () => {
  test.each([
    `GET ${admin}`,
    `POST ${admin}`,
    `GET ${admin}/1`,
    `PUT ${admin}/1`,
    `DELETE ${admin}/1`,
    `GET ${admin}/1/permissions`,
    `GET ${admin}/admin-count`,
    `GET ${admin}/inactive`,
    `POST ${admin}/inactive/delete`,
    `POST ${admin}/1/change-password`,
    `POST ${admin}/reset-password`,
  ] as const)('%s returns 403', async (request) => {
    const editor = await person(app, { rootRole: 2 });
    const response = await editor.ask(request, request.startsWith('GET') ? {} : { payload: {} });
    expect([response.statusCode, response.json().message]).toEqual([
      403,
      'You need the ADMIN permission to do this',
    ]);
  });
});
