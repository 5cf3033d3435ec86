import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const environments = '/api/admin/environments';

const create = (payload: object) => app.ask(`POST ${environments}`, { payload });
const read = async (name: string) => (await app.ask(`GET ${environments}/${name}`)).json();
const protect = (name: string) =>
  app.db.updateTable('environments').set({ protected: true }).where('name', '=', name).execute();

describe('an empty installation', () => {
  test('has development and production, in this order, in one project', async () => {
    const response = await app.ask(`GET ${environments}`);
    expect(response.statusCode).toBe(200);
    const common = { enabled: true, protected: false, projectCount: 1, enabledToggleCount: 0 };
    expect(response.json()).toEqual({
      version: 1,
      environments: [
        { name: 'development', type: 'development', sortOrder: 100, apiTokenCount: 2, ...common },
        { name: 'production', type: 'production', sortOrder: 200, apiTokenCount: 0, ...common },
      ],
    });
  });

  test('records their creation as events by the system', async () => {
    const rows = await app.db
      .selectFrom('events')
      .where('type', '=', 'environment-created')
      .select(['environment', 'created_by_user_id as by', 'data'])
      .orderBy('id')
      .execute();
    expect(rows).toMatchObject([
      { environment: 'development', by: -1337, data: { type: 'development', sortOrder: 100 } },
      { environment: 'production', by: -1337, data: { type: 'production', sortOrder: 200 } },
    ]);
  });
});

describe('creating an environment', () => {
  test('requires a name and a type and applies defaults', async () => {
    const response = await create({ name: 'staging', type: 'pre-production' });
    expect(response.statusCode).toBe(201);
    const staging = {
      name: 'staging',
      type: 'pre-production',
      enabled: true,
      protected: false,
      sortOrder: 9999,
    };
    expect(response.json()).toEqual(staging);
    expect(response.headers.location).toBe('environments/staging');
    expect(await read('staging')).toEqual({
      ...staging,
      projectCount: 0,
      enabledToggleCount: 0,
      apiTokenCount: 0,
    });
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'environment-created',
        project: null,
        environment: 'staging',
        data: staging,
        preData: null,
      },
    ]);
  });

  test('accepts a sort order and a state and ignores unknown properties', async () => {
    const response = await create({
      name: 'qa-eu~1',
      type: 'test',
      enabled: false,
      sortOrder: 150,
      protected: true,
    });
    expect(response.json()).toMatchObject({ enabled: false, sortOrder: 150, protected: false });
  });

  test('returns 409 for a name in use and records nothing', async () => {
    const before = await countEvents(app.db);
    const response = await create({ name: 'production', type: 'production' });
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ name: 'NameExistsError' });
    expect(await countEvents(app.db)).toBe(before);
  });

  test('succeeds once when ten requests use the same name', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => create({ name: 'raced', type: 'test' })),
    );
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  test.each([
    'validate',
    'update',
    'sort-order',
    'project',
    '.',
    '..',
    '*',
    '',
    'a b',
    'ä',
    'a/b',
    'a'.repeat(101),
    7,
    null,
  ])('returns 400 for the name %j', async (name) => {
    const response = await create({ name, type: 'test' });
    expect(response.statusCode).toBe(400);
    const paths = response.json().details.map(({ path }: { path: string }) => path);
    expect(new Set(paths)).toEqual(new Set(['/body/name']));
  });

  test('returns 400 for a name with a dot, because a dot ends the environment in a token', async () => {
    const requests = [
      await create({ name: 'eu.west', type: 'test' }),
      await app.ask(`POST ${environments}/validate`, { payload: { name: 'eu.west' } }),
      await app.ask(`POST ${environments}/production/clone`, { payload: { name: 'eu.west' } }),
    ];
    for (const response of requests) {
      expect(response.statusCode).toBe(400);
      expect(response.json().details).toEqual([
        {
          path: '/body/name',
          message: expect.stringContaining('tokens separate environment and secret'),
        },
      ]);
    }
  });

  test('reports all validation errors together', async () => {
    const response = await create({ name: 'a b', type: ' ', enabled: 'true', sortOrder: -1.5 });
    expect(response.statusCode).toBe(400);
    const paths = response.json().details.map(({ path }: { path: string }) => path);
    expect(new Set(paths)).toEqual(
      new Set(['/body/name', '/body/type', '/body/enabled', '/body/sortOrder']),
    );
  });

  test('returns 415 for a body that is not JSON and 400 for no body', async () => {
    const form = await app.ask(`POST ${environments}`, {
      payload: 'name=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.statusCode).toBe(415);
    expect((await app.ask(`POST ${environments}`)).statusCode).toBe(400);
  });
});

describe('validating the name of an environment', () => {
  const validate = (name: string) =>
    app.ask(`POST ${environments}/validate`, { payload: { name } });

  test('returns 200 for a free name, 409 for a name in use and 400 for an invalid one', async () => {
    const free = await validate('free');
    expect([free.statusCode, free.body]).toEqual([200, '']);
    expect((await validate('production')).statusCode).toBe(409);
    expect((await validate('project')).statusCode).toBe(400);
  });
});

describe('changing an environment', () => {
  const update = (name: string, payload: object) =>
    app.ask(`PUT ${environments}/update/${name}`, { payload });

  test('changes its type and records the environment before and after', async () => {
    await create({ name: 'changing', type: 'test', sortOrder: 5 });
    const response = await update('changing', { type: 'production', enabled: false });
    expect(response.statusCode).toBe(200);
    const before = {
      name: 'changing',
      enabled: true,
      protected: false,
      type: 'test',
      sortOrder: 5,
    };
    const after = { ...before, type: 'production' };
    expect(response.json()).toEqual(after);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'environment-updated',
        project: null,
        environment: 'changing',
        data: after,
        preData: before,
      },
    ]);
  });

  test('records nothing if nothing changes', async () => {
    await create({ name: 'same', type: 'test', sortOrder: 5 });
    for (const payload of [{}, { type: 'test' }, { type: 'test', sortOrder: 5 }]) {
      const response = await update('same', payload);
      expect(response.statusCode).toBe(200);
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
  });

  test('returns 404 for an unknown environment', async () => {
    expect((await update('nosuch', { type: 'test' })).statusCode).toBe(404);
    expect((await app.ask(`GET ${environments}/nosuch`)).statusCode).toBe(404);
  });

  test('applies two concurrent changes', async () => {
    await create({ name: 'twice', type: 'test', sortOrder: 1 });
    await Promise.all([update('twice', { type: 'other' }), update('twice', { sortOrder: 2 })]);
    expect(await read('twice')).toMatchObject({ type: 'other', sortOrder: 2 });
  });
});

describe('enabling and disabling an environment', () => {
  test('returns 204 and records an event only if the state changes', async () => {
    await create({ name: 'switched', type: 'test' });
    const off = await app.ask(`POST ${environments}/switched/off`);
    expect([off.statusCode, off.body]).toEqual([204, '']);
    expect(await read('switched')).toMatchObject({ enabled: false });
    expect(await recordedBy(app.db, off)).toMatchObject([
      { type: 'environment-updated', data: { enabled: false }, preData: { enabled: true } },
    ]);
    const again = await app.ask(`POST ${environments}/switched/off`);
    expect(again.statusCode).toBe(204);
    expect(await recordedBy(app.db, again)).toEqual([]);
    expect((await app.ask(`POST ${environments}/switched/on`)).statusCode).toBe(204);
    expect(await read('switched')).toMatchObject({ enabled: true });
    // Features stay enabled in it.
    const events = await app.db
      .selectFrom('events')
      .where('environment', '=', 'switched')
      .where('type', '=', 'environment-updated')
      .select('summary')
      .orderBy('id')
      .execute();
    expect(events.map(({ summary }) => summary)).toEqual([
      expect.stringContaining('excluded environment **switched** from new projects'),
      expect.stringContaining('added environment **switched** to new projects'),
    ]);
  });

  test('returns 404 for an unknown environment', async () => {
    expect((await app.ask(`POST ${environments}/nosuch/on`)).statusCode).toBe(404);
    expect((await app.ask(`POST ${environments}/nosuch/off`)).statusCode).toBe(404);
  });
});

describe('ordering environments', () => {
  const order = (payload: object) => app.ask(`PUT ${environments}/sort-order`, { payload });

  test('records one event for each environment whose sort order changes', async () => {
    for (const [name, sortOrder] of Object.entries({ first: 1, second: 2, third: 3 })) {
      await create({ name, type: 'test', sortOrder });
    }
    const response = await order({ first: 30, second: 2, third: 10 });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { environment: 'first', data: { sortOrder: 30 }, preData: { sortOrder: 1 } },
      { environment: 'third', data: { sortOrder: 10 }, preData: { sortOrder: 3 } },
    ]);
    const { environments: listed } = (await app.ask(`GET ${environments}`)).json();
    const names = listed.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => ['first', 'second', 'third'].includes(name))).toEqual([
      'second',
      'third',
      'first',
    ]);
  });

  test('returns 404 for an unknown name and changes nothing', async () => {
    await create({ name: 'unmoved', type: 'test', sortOrder: 4 });
    const response = await order({ unmoved: 5, nosuch: 1 });
    expect(response.statusCode).toBe(404);
    expect(response.json().message).toContain('nosuch');
    expect(await read('unmoved')).toMatchObject({ sortOrder: 4 });
  });

  test('returns 400 with an error for each sort order that is not an integer', async () => {
    const response = await order({ production: '1', development: 1.5 });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toHaveLength(2);
  });
});

describe('deleting an environment', () => {
  test('returns 200 for an environment without projects and records it in preData', async () => {
    await create({ name: 'doomed', type: 'test' });
    const response = await app.ask(`DELETE ${environments}/doomed`);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'environment-deleted', data: null, preData: { name: 'doomed', type: 'test' } },
    ]);
    expect((await app.ask(`DELETE ${environments}/doomed`)).statusCode).toBe(404);
  });

  test('rejects an environment that projects use and names them', async () => {
    await create({ name: 'used', type: 'test' });
    for (const id of ['user-a', 'user-b']) {
      const payload = { id, name: id, environments: ['used'] };
      await app.ask('POST /api/admin/projects', { payload });
    }
    await app.ask('POST /api/admin/projects/archive/user-b');
    expect(await read('used')).toMatchObject({ projectCount: 1 });
    const response = await app.ask(`DELETE ${environments}/used`);
    expect(response.statusCode).toBe(403);
    expect(response.json().name).toBe('InvalidOperationError');
    expect(response.json().message).toContain('user-a, user-b (archived)');
  });
});

test('an environment counts valid tokens that reach projects the caller can see', async () => {
  await create({ name: 'with-tokens', type: 'test' });
  for (const id of ['token-a', 'token-b']) {
    const payload = { id, name: id, environments: ['with-tokens'] };
    await app.ask('POST /api/admin/projects', { payload });
  }
  const token = async (projects: readonly string[]) => {
    const payload = { tokenName: 'one', type: 'client', environment: 'with-tokens', projects };
    return (await app.ask('POST /api/admin/api-tokens', { payload })).json();
  };
  await token(['*']);
  await token(['token-a', 'token-b']);
  await token(['token-b']);
  const revoked = await token(['token-a']);
  await app.ask(`DELETE /api/admin/api-tokens/${encodeURIComponent(revoked.secret)}`);
  const expired = await token(['token-a']);
  await app.db
    .updateTable('api_tokens')
    .set({ expires_at: new Date(0) })
    .where('id', '=', expired.id)
    .execute();
  expect(await read('with-tokens')).toMatchObject({ apiTokenCount: 3 });
  const limited = limitedApp(app, {
    may: (permission) => permission === 'none',
    sees: new Set(['token-a']),
  });
  const seen = await limited.ask(`GET ${environments}/with-tokens`);
  expect(seen.json()).toMatchObject({ apiTokenCount: 2 });
  const readEnvironment = async (project: string) =>
    (await app.ask(`GET ${environments}/project/${project}`)).json().environments[0];
  expect(await readEnvironment('token-a')).toMatchObject({
    projectApiTokenCount: 1,
    visible: true,
  });
  expect(await readEnvironment('token-b')).toMatchObject({
    projectApiTokenCount: 2,
    visible: true,
  });
});

test('creating or cloning an environment beyond the limit of 200 is rejected', async () => {
  const existing = (await app.ask(`GET ${environments}`)).json().environments.length;
  const names = Array.from({ length: 200 - existing }, (_, index) => `environment-${index}`);
  await app.db
    .insertInto('environments')
    .values(
      names.map((name) => ({
        name,
        type: 'test',
        enabled: true,
        protected: false,
        sort_order: 1,
        created_at: new Date(),
      })),
    )
    .execute();
  const payload = { name: 'one-more', type: 'test' };
  for (const response of [
    await app.ask(`POST ${environments}`, { payload }),
    await app.ask(`POST ${environments}/development/clone`, { payload }),
  ]) {
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
  }
  await app.ask(`DELETE ${environments}/${names[0]}`);
  expect((await app.ask(`POST ${environments}`, { payload })).statusCode).toBe(201);
  await app.db.deleteFrom('environments').where('name', 'in', names).execute();
});

test('a protected environment can be neither changed nor deleted', async () => {
  await create({ name: 'guarded', type: 'test', sortOrder: 1 });
  await protect('guarded');
  const before = await read('guarded');
  const refused = await Promise.all([
    app.ask(`PUT ${environments}/update/guarded`, { payload: { type: 'other' } }),
    app.ask(`POST ${environments}/guarded/off`),
    app.ask(`PUT ${environments}/sort-order`, { payload: { guarded: 2 } }),
    app.ask(`DELETE ${environments}/guarded`),
  ]);
  for (const response of refused) {
    expect(response.statusCode).toBe(403);
    expect(response.json().name).toBe('InvalidOperationError');
  }
  expect(await read('guarded')).toEqual(before);
});

test('non-administrators can read environments, and other requests name the ADMIN permission', async () => {
  const limited = limitedApp(app, {
    may: (permission) => permission === 'none',
    sees: new Set(),
  });
  expect((await limited.ask(`GET ${environments}/production`)).json()).toMatchObject({
    name: 'production',
    projectCount: 0,
  });
  const writes = [
    `POST ${environments}`,
    `POST ${environments}/validate`,
    `POST ${environments}/production/off`,
    `PUT ${environments}/update/production`,
    `PUT ${environments}/sort-order`,
    `DELETE ${environments}/production`,
  ] as const;
  for (const request of writes) {
    const response = await limited.ask(request);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ name: 'NoAccessError' });
    expect(response.json().message).toContain('ADMIN');
  }
});
