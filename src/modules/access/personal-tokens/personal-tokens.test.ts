import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { type Person, person } from '../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { createPersonalToken } from './index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const tokens = '/api/admin/user/tokens';
const inTenYears = '2036-01-01T00:00:00.000Z';
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const create = ({ ask }: Pick<Person, 'ask'>, payload: object) =>
  ask(`POST ${tokens}`, { payload: { description: 'made', expiresAt: null, ...payload } });

/** Without the token that every test user has. */
const listOf = async ({ ask }: Person) =>
  (await ask(`GET ${tokens}`))
    .json()
    .pats.filter(({ description }: { description: string }) => description !== 'test');

describe('creating a personal access token', () => {
  test('returns the secret once; requests with it are made by its owner', async () => {
    const ada = await person(app, { rootRole: 2 });
    const response = await create(ada, { description: 'laptop', expiresAt: inTenYears });
    expect(response.statusCode, response.body).toBe(201);
    expect(response.json()).toEqual({
      id: expect.any(Number),
      secret: expect.stringMatching(/^user:[0-9a-f]{56}$/),
      description: 'laptop',
      userId: ada.id,
      expiresAt: inTenYears,
      createdAt: instant,
      seenAt: null,
    });
    const { secret, seenAt, ...data } = response.json();
    expect(await recordedBy(app.db, response)).toEqual([
      { type: 'pat-created', project: null, environment: null, data, preData: null },
    ]);
    expect(await listOf(ada)).toEqual([{ ...data, seenAt: null }]);

    const payload = { name: 'made-with-it' };
    const headers = { authorization: secret };
    const made = await app.ask('POST /api/admin/projects/default/features', { payload, headers });
    expect(made.statusCode).toBe(201);
    const by = await app.db
      .selectFrom('events')
      .where('feature_name', '=', 'made-with-it')
      .select('created_by_user_id as id')
      .executeTakeFirst();
    expect(by).toEqual({ id: ada.id });
  });

  test('returns null as the expiry of a token that does not expire', async () => {
    const response = await create(await person(app), { expiresAt: null });
    expect(response.json().expiresAt).toBeNull();
  });

  test.each([
    [{ description: '' }, ['/body/description']],
    [{ description: '  ' }, ['/body/description']],
    [{ description: 'd'.repeat(256) }, ['/body/description']],
    [{ description: undefined, expiresAt: 7 }, ['/body/description', '/body/expiresAt']],
    [{ expiresAt: undefined }, ['/body/expiresAt']],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, ['/body/expiresAt']],
    [{ expiresAt: '2036-06-30T23:59:60Z' }, ['/body/expiresAt']],
  ])('rejects %j with 400', async (wrong, paths) => {
    const before = await countEvents(app.db);
    const response = await create(await person(app), wrong);
    expect(response.statusCode, response.body).toBe(400);
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('rejects an expiry after that of the token used for the request', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const brief = await person(app, { expiresAt });
    for (const later of [null, inTenYears]) {
      const refused = await create(brief, { description: 'later', expiresAt: later });
      expect(refused.statusCode).toBe(400);
      expect(refused.json().details).toMatchObject([{ path: '/body/expiresAt' }]);
    }
    const same = await create(brief, { description: 'same', expiresAt: expiresAt.toISOString() });
    expect(same.statusCode, same.body).toBe(201);
  });

  test('returns 409 for a description the user already has; other users may have the same', async () => {
    const [ada, bob] = [await person(app), await person(app)];
    const racing = await Promise.all([1, 2, 3].map(() => create(ada, { description: 'same' })));
    expect(racing.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
    expect((await create(bob, { description: 'same' })).statusCode).toBe(201);
  });

  test('is limited to ten tokens, even when requests race for the last ones', async () => {
    const ada = await person(app);
    for (let made = 1; made < 8; made += 1) await create(ada, { description: `token ${made}` });
    const responses = await Promise.all(
      ['a', 'b', 'c', 'd'].map((description) => create(ada, { description })),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 403, 403]);
    const refused = responses.find(({ statusCode }) => statusCode === 403);
    expect(refused?.json().name).toBe('InvalidOperationError');
    const [first] = await listOf(ada);
    await ada.ask(`DELETE ${tokens}/${first.id}`);
    expect((await create(ada, { description: 'in its place' })).statusCode).toBe(201);
  });
});

describe('deleting a personal access token', () => {
  test('revokes it at once and records one event', async () => {
    const ada = await person(app);
    const { secret, seenAt, ...data } = (await create(ada, {})).json();
    const bearing = { headers: { authorization: secret } };
    expect((await app.ask(`GET ${tokens}`, bearing)).statusCode).toBe(200);
    const response = await ada.ask(`DELETE ${tokens}/${data.id}`);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toEqual([
      { type: 'pat-deleted', project: null, environment: null, data, preData: null },
    ]);
    expect((await app.ask(`GET ${tokens}`, bearing)).statusCode).toBe(401);
    expect(await listOf(ada)).toEqual([]);
    expect((await ada.ask(`DELETE ${tokens}/${data.id}`)).statusCode).toBe(404);
  });

  test('returns 404 for other users, including administrators', async () => {
    const [ada, boss] = [await person(app), await person(app, { rootRole: 1 })];
    const { id } = (await create(ada, {})).json();
    for (const path of [`${tokens}/${id}`, `${tokens}/nosuch`, `${tokens}/99999999999`]) {
      const response = await boss.ask(`DELETE ${path}`);
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    }
    expect(await listOf(ada)).toHaveLength(1);
    expect(await listOf(boss)).toEqual([]);
  });
});

test('requests with an API token return 403, because only accounts have personal tokens', async () => {
  for (const response of [
    await app.ask(`GET ${tokens}`),
    await create(app, {}),
    await app.ask(`DELETE ${tokens}/1`),
  ]) {
    expect(response.statusCode).toBe(403);
    expect(response.json().message).toContain('API token');
  }
});

test('a service account can create a personal token', async () => {
  const robot = await person(app, { kind: 'service account' });
  expect((await create(robot, {})).json().userId).toBe(robot.id);
});

test('the list of personal tokens shows when each was last used', async () => {
  const ada = await person(app);
  const { secret } = (await create(ada, {})).json();
  // An instance stores last-seen times when it is closed, at the latest.
  const other = await appOn(app);
  await other.ask(`GET ${tokens}`, { headers: { authorization: secret } });
  await other.app.close();
  expect(await listOf(ada)).toMatchObject([{ seenAt: instant }]);
});

test('creating a token for an account that was just deleted returns 404', async () => {
  const { id } = await person(app);
  await app.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', id).execute();
  const before = await countEvents(app.db);
  const making = app.transact(testActor, (tx) =>
    createPersonalToken(tx, { id }, { description: 'late', expiresAt: null }),
  );
  await expect(making).rejects.toMatchObject({ status: 404 });
  expect(await countEvents(app.db)).toBe(before);
});

test('erasing a user deletes their personal tokens', async () => {
  const ada = await person(app);
  await create(ada, { description: 'laptop' });
  await forgetEverywhere(app.transact, testActor, ada.id);
  const left = await app.db
    .selectFrom('personal_tokens')
    .where('user_id', '=', ada.id)
    .select('id')
    .execute();
  expect(left).toEqual([]);
});
