import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { raceRounds } from '../../../../test/support/random-cases.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { findPersonForSignIn } from '../users/index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const accounts = '/api/admin/service-account';
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const create = (payload: object) => app.ask(`POST ${accounts}`, { payload });
const change = (id: number | string, payload: object) =>
  app.ask(`PUT ${accounts}/${id}`, { payload });
const remove = (id: number | string) => app.ask(`DELETE ${accounts}/${id}`);
const list = async () => (await app.ask(`GET ${accounts}`)).json().serviceAccounts;
const listed = async (id: number) => (await list()).find((each: { id: number }) => each.id === id);

async function newAccount(username: string, more: object = {}): Promise<number> {
  const response = await create({ username, rootRole: 3, ...more });
  expect(response.statusCode, response.body).toBe(201);
  return response.json().id;
}

const createToken = (id: number | string, payload: object = {}) =>
  app.ask(`POST ${accounts}/${id}/token`, {
    payload: { description: 'pipeline', expiresAt: null, ...payload },
  });

const lastSummary = async () =>
  (await app.ask('GET /api/admin/search/events?limit=1')).json().events[0].summary;

const event = (type: string, more: object) => ({
  type,
  project: null,
  environment: null,
  data: null,
  preData: null,
  ...more,
});

describe('creating a service account', () => {
  test('returns and records it; the list contains it and the root roles', async () => {
    const response = await create({ username: 'deployer', name: 'Deployer', rootRole: 2 });
    expect(response.statusCode, response.body).toBe(201);
    const { id } = response.json();
    const account = {
      id: expect.any(Number),
      name: 'Deployer',
      username: 'deployer',
      imageUrl: `http://localhost:4242/avatars/${id}.svg`,
      rootRole: 2,
      createdAt: instant,
      accountType: 'Service Account',
      isAPI: false,
      tokens: [],
    };
    expect(response.json()).toEqual(account);
    const data = { id, name: 'Deployer', username: 'deployer', rootRole: 2 };
    expect(await recordedBy(app.db, response)).toEqual([
      event('service-account-created', { data }),
    ]);
    const answer = (await app.ask(`GET ${accounts}`)).json();
    expect(answer.serviceAccounts).toEqual([account]);
    expect(answer.rootRoles).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  test('accepts a root role by name, and a custom root role', async () => {
    expect((await create({ username: 'by-name', rootRole: 'Editor' })).json().rootRole).toBe(2);
    const own = await customRole(app, 'root-custom', [{ name: 'CREATE_PROJECT' }]);
    expect((await create({ username: 'custom', rootRole: own })).json().rootRole).toBe(own);
  });

  test('returns 409 for a username taken by any account, ignoring case', async () => {
    await newAccount('taken');
    const { name } = await person(app);
    for (const username of ['taken', 'TAKEN', name]) {
      const response = await create({ username, rootRole: 3 });
      expect([response.statusCode, response.json().name]).toEqual([409, 'NameExistsError']);
    }
    const racing = await Promise.all([1, 2, 3].map(() => create({ username: 'r', rootRole: 3 })));
    expect(racing.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
  });

  test.each([
    [{}, ['/body/username', '/body/rootRole']],
    [{ username: ' a', rootRole: 3 }, ['/body/username']],
    [{ username: 'x', name: 'n'.repeat(256), rootRole: 3 }, ['/body/name']],
    [{ username: 'x', rootRole: 4 }, ['/body/rootRole']],
    [{ username: 'x', rootRole: 99 }, ['/body/rootRole']],
    [{ username: 'x', rootRole: 'Owner' }, ['/body/rootRole']],
    [{ username: 'x', rootRole: null }, ['/body/rootRole']],
  ])('rejects %j with 400', async (payload, paths) => {
    const before = await countEvents(app.db);
    const response = await create(payload);
    expect(response.statusCode, response.body).toBe(400);
    const found = response.json().details.map(({ path }: { path: string }) => path);
    expect([...new Set(found)]).toEqual(paths);
    expect(await countEvents(app.db)).toBe(before);
  });
});

describe('changing a service account', () => {
  test('changes the given properties and records the previous ones', async () => {
    const id = await newAccount('changing', { name: 'Before' });
    const response = await change(id, { name: 'After', rootRole: 2 });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json()).toMatchObject({ id, name: 'After', username: 'changing', rootRole: 2 });
    expect(await listed(id)).toEqual(response.json());
    const before = { id, name: 'Before', username: 'changing', rootRole: 3 };
    expect(await recordedBy(app.db, response)).toEqual([
      event('service-account-updated', {
        data: { ...before, name: 'After', rootRole: 2 },
        preData: before,
      }),
    ]);
    const again = await change(id, { name: 'After', rootRole: 2 });
    expect(again.statusCode).toBe(200);
    expect(await recordedBy(app.db, again)).toEqual([]);
  });

  test('changes the username unless it is taken', async () => {
    const id = await newAccount('former');
    expect((await change(id, { username: 'later' })).json().username).toBe('later');
    expect((await change(id, { username: 'deployer' })).statusCode).toBe(409);
    await newAccount('former');
  });

  test('returns 400 for an unknown root role', async () => {
    const id = await newAccount('roleless');
    const response = await change(id, { rootRole: 5 });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toMatchObject([{ path: '/body/rootRole' }]);
    expect(await listed(id)).toMatchObject({ rootRole: 3 });
  });

  test('takes effect with the next request', async () => {
    const id = await newAccount('promoted');
    const { secret } = (await createToken(id)).json();
    const ask = () => app.ask(`GET ${accounts}`, { headers: { authorization: secret } });
    expect((await ask()).statusCode).toBe(403);
    await change(id, { rootRole: 1 });
    expect((await ask()).statusCode).toBe(200);
    await change(id, { rootRole: 3 });
    expect((await ask()).statusCode).toBe(403);
  });
});

describe('the tokens of a service account', () => {
  test('authenticate as the account and are listed without secrets', async () => {
    const id = await newAccount('machine', { rootRole: 2 });
    const response = await createToken(id, { expiresAt: '2036-01-01T00:00:00Z' });
    expect(response.statusCode, response.body).toBe(201);
    const { secret, ...token } = response.json();
    expect(secret).toMatch(/^user:[0-9a-f]{56}$/);
    expect(token).toEqual({
      id: expect.any(Number),
      description: 'pipeline',
      userId: id,
      expiresAt: '2036-01-01T00:00:00.000Z',
      createdAt: instant,
      seenAt: null,
    });
    const { seenAt, ...facts } = token;
    const data = { ...facts, username: 'machine' };
    expect(await recordedBy(app.db, response)).toEqual([event('pat-created', { data })]);
    expect(await lastSummary()).toBe(
      '**admin** created personal access token **pipeline** for **machine**',
    );
    expect((await app.ask(`GET ${accounts}/${id}/token`)).json()).toEqual({ pats: [token] });
    expect(await listed(id)).toMatchObject({ tokens: [token] });

    const payload = { name: 'made-by-machine' };
    const headers = { authorization: secret };
    await app.ask('POST /api/admin/projects/default/features', { payload, headers });
    const { events } = (await app.ask('GET /api/admin/search/events?limit=1')).json();
    expect(events).toMatchObject([{ createdBy: 'machine', createdByUserId: id }]);

    const removed = await app.ask(`DELETE ${accounts}/${id}/token/${token.id}`);
    expect([removed.statusCode, removed.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, removed)).toEqual([event('pat-deleted', { data })]);
    expect(await lastSummary()).toBe(
      '**admin** revoked personal access token **pipeline** for **machine**',
    );
    expect((await app.ask('GET /api/admin/projects', { headers })).statusCode).toBe(401);
    expect((await app.ask(`DELETE ${accounts}/${id}/token/${token.id}`)).statusCode).toBe(404);
  });

  test('no longer contain the username in events after the account is erased', async () => {
    const id = await newAccount('called-after-ada');
    await createToken(id);
    expect(await lastSummary()).toContain('called-after-ada');
    await forgetEverywhere(app.transact, testActor, id);
    const { events } = (await app.ask('GET /api/admin/search/events?type=IS:pat-created')).json();
    expect(events[0].data).toMatchObject({ userId: id, description: 'pipeline' });
    expect(JSON.stringify(events)).not.toContain('called-after-ada');
  });

  test('are limited to ten with distinct descriptions', async () => {
    const id = await newAccount('busy');
    expect((await createToken(id)).statusCode).toBe(201);
    expect((await createToken(id)).statusCode).toBe(409);
    for (let count = 1; count < 10; count += 1) await createToken(id, { description: `${count}` });
    const response = await createToken(id, { description: 'one more' });
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
  });

  test('cannot be managed through another account or for a user: 404', async () => {
    const [id, other] = [await newAccount('mine'), await newAccount('theirs')];
    const token = (await createToken(other)).json().id;
    expect((await app.ask(`DELETE ${accounts}/${id}/token/${token}`)).statusCode).toBe(404);
    const ada = await person(app);
    for (const response of [
      await app.ask(`GET ${accounts}/${ada.id}/token`),
      await createToken(ada.id),
      await app.ask(`DELETE ${accounts}/${ada.id}/token/1`),
      await app.ask(`GET ${accounts}/${ada.id}/permissions`),
      await change(ada.id, { name: 'Robot' }),
      await remove(ada.id),
      await remove('nosuch'),
      await change('99999999999', {}),
      await createToken('0'),
    ]) {
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    }
    expect((await ada.ask('GET /api/admin/projects')).statusCode).toBe(200);
  });
});

describe('deleting a service account', () => {
  test('revokes its tokens at once and frees its username', async () => {
    const id = await newAccount('leaving', { name: 'Leaving' });
    const { secret, seenAt, ...token } = (await createToken(id)).json();
    const headers = { authorization: secret };
    expect((await app.ask('GET /api/admin/projects', { headers })).statusCode).toBe(200);
    const response = await remove(id);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toEqual([
      event('pat-deleted', { data: { ...token, username: 'leaving' } }),
      event('service-account-deleted', {
        preData: { id, name: 'Leaving', username: 'leaving', rootRole: 3 },
      }),
    ]);
    expect((await app.ask('GET /api/admin/projects', { headers })).statusCode).toBe(401);
    expect(await listed(id)).toBeUndefined();
    expect((await remove(id)).statusCode).toBe(404);
    expect(await newAccount('leaving')).not.toBe(id);
  });

  test('leaves no tokens behind when one is created concurrently', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      const id = await newAccount(`raced-${round}`);
      const [created, removed] = await Promise.all([createToken(id), remove(id)]);
      expect(removed.statusCode).toBe(200);
      expect([201, 404]).toContain(created.statusCode);
      const left = await app.db
        .selectFrom('personal_tokens')
        .where('user_id', '=', id)
        .select('id')
        .execute();
      expect(left).toEqual([]);
    }
  });

  test('leaves a project that only it owned to administrators', async () => {
    await make(app.ask).project('machined');
    const { id } = await person(app, { kind: 'service account', roles: { machined: 4 } });
    expect((await remove(id)).statusCode).toBe(200);
    const { owners } = (await app.ask('GET /api/admin/projects/machined/overview')).json();
    expect(owners).toEqual([{ ownerType: 'system' }]);
  });

  test('is allowed if it has the Admin role, as is changing its role', async () => {
    const id = await newAccount('only-admin', { rootRole: 1 });
    expect((await change(id, { rootRole: 3 })).statusCode).toBe(200);
    expect((await change(id, { rootRole: 1 })).statusCode).toBe(200);
    expect((await remove(id)).statusCode).toBe(200);
  });
});

test('a service account with the Admin role does not count as the last administrator', async () => {
  await newAccount('machine-admin', { rootRole: 1 });
  await app.db
    .updateTable('users')
    .set({ root_role: 3 })
    .where('kind', '=', 'person')
    .where('root_role', '=', 1)
    .execute();
  const last = await person(app, { rootRole: 1 });
  const response = await app.ask(`DELETE /api/admin/user-admin/${last.id}`);
  expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
});

test('the permissions of a service account are returned by project', async () => {
  const { id } = await person(app, { kind: 'service account', roles: { default: 5 } });
  const held = async (query: string) => {
    const response = await app.ask(`GET ${accounts}/${id}/permissions${query}`);
    expect(response.statusCode, response.body).toBe(200);
    const { overview, user, rootRole } = response.json();
    expect([user.id, user.accountType, rootRole.id]).toEqual([id, 'Service Account', 3]);
    return overview.project
      .filter(({ hasPermission }: { hasPermission: boolean }) => hasPermission)
      .map(({ name }: { name: string }) => name);
  };
  expect(await held('')).toEqual([]);
  expect(await held('?project=default')).toContain('CREATE_FEATURE');
  expect(await held('?project=default')).not.toContain('DELETE_PROJECT');
});

test('a service account cannot sign in with a password', async () => {
  await newAccount('no-door');
  expect(await findPersonForSignIn(app.db, 'no-door')).toBeUndefined();
});

test('all service account endpoints require an administrator', async () => {
  const id = await newAccount('guarded');
  const editor = await person(app, { rootRole: 2 });
  const itself = await person(app, { rootRole: 2, kind: 'service account' });
  for (const { ask } of [editor, itself]) {
    for (const request of [
      `GET ${accounts}`,
      `POST ${accounts}`,
      `PUT ${accounts}/${id}`,
      `DELETE ${accounts}/${id}`,
      `GET ${accounts}/${id}/token`,
      `POST ${accounts}/${id}/token`,
      `DELETE ${accounts}/${id}/token/1`,
      `GET ${accounts}/${id}/permissions`,
    ] as const) {
      const response = await ask(request);
      expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
      expect(response.json().message).toContain('ADMIN');
    }
  }
});
