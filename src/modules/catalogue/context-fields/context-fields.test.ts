import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const context = '/api/admin/context';

const create = (payload: object) => app.ask(`POST ${context}`, { payload });
const update = (name: string, payload: object) => app.ask(`PUT ${context}/${name}`, { payload });
const read = async (name: string) => (await app.ask(`GET ${context}/${name}`)).json();
const allow = (name: string, payload: object) =>
  app.ask(`POST ${context}/${name}/legal-values`, { payload });
const forbid = (name: string, value: string) =>
  app.ask(`DELETE ${context}/${name}/legal-values/${encodeURIComponent(value)}`);
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const pathsOf = (response: { json: () => { details: { path: string }[] } }) =>
  response.json().details.map(({ path }) => path);

describe('an empty installation', () => {
  test('has the context fields that SDKs fill in, in their usual order', async () => {
    const response = await app.ask(`GET ${context}`);
    expect(response.statusCode).toBe(200);
    const fields = response.json();
    expect(fields.slice(0, 5)).toMatchObject([
      { name: 'environment', stickiness: false },
      { name: 'userId', stickiness: true },
      { name: 'appName', stickiness: false },
      { name: 'currentTime', stickiness: false },
      { name: 'sessionId', stickiness: true },
    ]);
    expect(fields[1]).toEqual({
      name: 'userId',
      description: expect.stringMatching(/\w/),
      stickiness: true,
      sortOrder: 1,
      legalValues: [],
      createdAt: expect.stringMatching(instant),
      usedInFeatures: 0,
      usedInProjects: 0,
    });
  });

  test('records their creation as an event by the system', async () => {
    const rows = await app.db
      .selectFrom('events')
      .where('type', '=', 'context-field-created')
      .where('created_by_user_id', '=', -1337)
      .select(['data', 'project', 'environment'])
      .orderBy('id')
      .execute();
    expect(rows.map(({ data }) => (data as { name: string }).name)).toEqual([
      'environment',
      'userId',
      'appName',
      'currentTime',
      'sessionId',
    ]);
  });
});

describe('creating a context field', () => {
  test('requires only a name and applies defaults', async () => {
    const response = await create({ name: 'plan' });
    expect(response.statusCode).toBe(201);
    const plan = {
      name: 'plan',
      description: null,
      stickiness: false,
      sortOrder: 10,
      legalValues: [],
      createdAt: expect.stringMatching(instant),
    };
    expect(response.json()).toEqual(plan);
    expect(await read('plan')).toEqual({ ...plan, usedInFeatures: 0, usedInProjects: 0 });
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'context-field-created',
        project: null,
        environment: null,
        data: plan,
        preData: null,
      },
    ]);
  });

  test('accepts every property and drops unknown ones', async () => {
    const response = await create({
      name: 'country',
      description: 'Where',
      stickiness: true,
      sortOrder: 7,
      legalValues: [
        { value: 'no', description: 'Norway', flag: '🇳🇴' },
        { value: 'de', description: '' },
        { value: 'fr', description: null },
      ],
      unknown: 1,
    });
    expect(response.json()).toEqual({
      name: 'country',
      description: 'Where',
      stickiness: true,
      sortOrder: 7,
      legalValues: [{ value: 'no', description: 'Norway' }, { value: 'de' }, { value: 'fr' }],
      createdAt: expect.stringMatching(instant),
    });
    expect(
      (await create({ name: 'undescribed', description: null })).json().description,
    ).toBeNull();
  });

  test('returns 409 for a name in use and records nothing', async () => {
    const before = await countEvents(app.db);
    const response = await create({ name: 'userId' });
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ name: 'NameExistsError' });
    expect(await countEvents(app.db)).toBe(before);
  });

  test('succeeds once when ten requests use the same name', async () => {
    const before = await countEvents(app.db);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => create({ name: 'raced' })),
    );
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(await countEvents(app.db)).toBe(before + 1);
  });

  test.each(['.', '..', '', 'a b', 'ä', 'a/b', 'a'.repeat(101), 7, null, undefined])(
    'returns 400 for the name %j',
    async (name) => {
      const response = await create({ name });
      expect(response.statusCode).toBe(400);
      expect(new Set(pathsOf(response))).toEqual(new Set(['/body/name']));
    },
  );

  test('accepts a name that is also part of a URL of the API', async () => {
    expect((await create({ name: 'validate' })).statusCode).toBe(201);
    expect((await app.ask(`GET ${context}/validate`)).json()).toMatchObject({ name: 'validate' });
  });

  test('reports all validation errors together', async () => {
    const response = await create({
      name: 'a b',
      description: 'd'.repeat(1001),
      stickiness: 'true',
      sortOrder: -1,
      legalValues: [
        { value: ' ' },
        {},
        { value: 'x'.repeat(101) },
        { value: 'ok', description: 7 },
      ],
    });
    expect(response.statusCode).toBe(400);
    expect(new Set(pathsOf(response))).toEqual(
      new Set([
        '/body/name',
        '/body/description',
        '/body/stickiness',
        '/body/sortOrder',
        '/body/legalValues/0/value',
        '/body/legalValues/1/value',
        '/body/legalValues/2/value',
        '/body/legalValues/3/description',
      ]),
    );
  });

  test('rejects duplicate legal values and more than 1000 of them', async () => {
    const twice = await create({ name: 'twice', legalValues: [{ value: 'a' }, { value: 'a' }] });
    expect(twice.statusCode).toBe(400);
    expect(twice.json().details).toEqual([
      {
        path: '/body/legalValues/1/value',
        message: "/body/legalValues/1/value 'a' is listed twice",
      },
    ]);
    const legalValues = Array.from({ length: 1001 }, (_, n) => ({ value: String(n) }));
    expect(pathsOf(await create({ name: 'endless', legalValues }))).toEqual(['/body/legalValues']);
  });
});

describe('validating the name of a context field', () => {
  const validate = (name: unknown) => app.ask(`POST ${context}/validate`, { payload: { name } });

  test('returns 200 for a free name, 409 for a name in use and 400 for an invalid one', async () => {
    const free = await validate('free');
    expect([free.statusCode, free.body]).toEqual([200, '']);
    expect((await validate('userId')).statusCode).toBe(409);
    expect((await validate('not free')).statusCode).toBe(400);
    expect((await app.ask(`GET ${context}/free`)).statusCode).toBe(404);
  });
});

describe('changing a context field', () => {
  test('keeps omitted properties and records the field before and after', async () => {
    const before = (
      await create({ name: 'changing', description: 'Old', legalValues: [{ value: 'a' }] })
    ).json();
    const response = await update('changing', { description: 'New', sortOrder: 3, name: 'other' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const after = { ...before, description: 'New', sortOrder: 3 };
    expect(await read('changing')).toMatchObject(after);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'context-field-updated',
        project: null,
        environment: null,
        data: after,
        preData: before,
      },
    ]);
    await update('changing', { stickiness: true, legalValues: [], description: null });
    expect(await read('changing')).toMatchObject({
      description: null,
      stickiness: true,
      legalValues: [],
    });
  });

  test('records nothing if nothing changes', async () => {
    await create({ name: 'same', legalValues: [{ value: 'a', description: 'A' }] });
    for (const payload of [{}, { legalValues: [{ value: 'a', description: 'A' }] }]) {
      const response = await update('same', payload);
      expect(response.statusCode).toBe(200);
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
  });

  test('returns 404 for an unknown field, as reading and deleting do', async () => {
    const responses = [
      await app.ask(`GET ${context}/nosuch`),
      await update('nosuch', { sortOrder: 1 }),
      await allow('nosuch', { value: 'a' }),
      await forbid('nosuch', 'a'),
      await app.ask(`DELETE ${context}/nosuch`),
    ];
    for (const response of responses) {
      expect(response.statusCode).toBe(404);
      expect(response.json().message).toBe("Context field 'nosuch' not found");
    }
  });

  test('lists no strategies for an unknown field, which the UI requests while a name is being typed', async () => {
    const response = await app.ask(`GET ${context}/nosuch/strategies`);
    expect([response.statusCode, response.json()]).toEqual([200, { strategies: [] }]);
  });

  test('applies two concurrent changes', async () => {
    await create({ name: 'two-at-once' });
    await Promise.all([
      update('two-at-once', { description: 'told' }),
      update('two-at-once', { sortOrder: 2 }),
    ]);
    expect(await read('two-at-once')).toMatchObject({ description: 'told', sortOrder: 2 });
  });
});

describe('legal values of a context field', () => {
  const valuesOf = async (name: string) => (await read(name)).legalValues;

  test('adds a value at the end and records the whole field', async () => {
    const field = (await create({ name: 'tier', legalValues: [{ value: 'gold' }] })).json();
    const response = await allow('tier', { value: 'silver', description: 'Second' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const silver = { value: 'silver', description: 'Second' };
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'context-field-updated',
        project: null,
        environment: null,
        data: { ...field, legalValues: [{ value: 'gold' }, silver] },
        preData: field,
      },
    ]);
  });

  test('updates the description of an existing value in place, and records nothing if it is the same', async () => {
    await create({ name: 'size', legalValues: [{ value: 'S' }, { value: 'M' }] });
    await allow('size', { value: 'S', description: 'Small' });
    expect(await valuesOf('size')).toEqual([{ value: 'S', description: 'Small' }, { value: 'M' }]);
    const again = await allow('size', { value: 'S', description: 'Small' });
    expect(again.statusCode).toBe(200);
    expect(await recordedBy(app.db, again)).toEqual([]);
  });

  test('removes a value with any characters and returns 404 for an unknown one', async () => {
    const odd = 'a/b ?#%🇳🇴';
    await create({ name: 'odd', legalValues: [{ value: odd }, { value: 'plain' }] });
    const response = await forbid('odd', odd);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await valuesOf('odd')).toEqual([{ value: 'plain' }]);
    expect(await recordedBy(app.db, response)).toMatchObject([
      {
        type: 'context-field-updated',
        data: { legalValues: [{ value: 'plain' }] },
        preData: { legalValues: [{ value: odd }, { value: 'plain' }] },
      },
    ]);
    const again = await forbid('odd', odd);
    expect(again.statusCode).toBe(404);
    expect(await recordedBy(app.db, again)).toEqual([]);
  });

  test('keeps all of ten values added concurrently', async () => {
    await create({ name: 'crowded' });
    const values = Array.from({ length: 10 }, (_, n) => `v${n}`);
    await Promise.all(values.map((value) => allow('crowded', { value })));
    const kept = (await valuesOf('crowded')).map(({ value }: { value: string }) => value);
    expect(kept.sort()).toEqual(values);
  });

  test('rejects a value beyond 1000, but still updates existing ones', async () => {
    const legalValues = Array.from({ length: 1000 }, (_, n) => ({ value: String(n) }));
    await create({ name: 'full', legalValues });
    const response = await allow('full', { value: 'one more' });
    expect(response.statusCode).toBe(403);
    expect(response.json().name).toBe('InvalidOperationError');
    expect((await allow('full', { value: '7', description: 'Seven' })).statusCode).toBe(200);
  });

  test('returns 400 for a blank or missing value', async () => {
    expect(pathsOf(await allow('userId', { value: ' ' }))).toEqual(['/body/value']);
    expect(pathsOf(await allow('userId', {}))).toEqual(['/body/value']);
  });
});

describe('deleting a context field', () => {
  test('records the field in preData', async () => {
    const field = (await create({ name: 'doomed', legalValues: [{ value: 'a' }] })).json();
    const response = await app.ask(`DELETE ${context}/doomed`);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'context-field-deleted',
        project: null,
        environment: null,
        data: null,
        preData: field,
      },
    ]);
    expect((await app.ask(`DELETE ${context}/doomed`)).statusCode).toBe(404);
  });
});

test('without permissions, fields can be read and constraints validated, and other requests name the missing permission', async () => {
  const limited = limitedApp(app, {
    may: (permission) => permission === 'none',
    sees: new Set(),
  });
  expect((await limited.ask(`GET ${context}/userId`)).statusCode).toBe(200);
  expect((await limited.ask(`GET ${context}`)).statusCode).toBe(200);
  expect((await limited.ask(`GET ${context}/userId/strategies`)).json()).toEqual({
    strategies: [],
  });
  const payload = { contextName: 'a', operator: 'IN' };
  const validated = await limited.ask('POST /api/admin/constraints/validate', { payload });
  expect(validated.statusCode).toBe(204);
  const needed = {
    [`POST ${context}`]: 'CREATE_CONTEXT_FIELD',
    [`POST ${context}/validate`]: 'CREATE_CONTEXT_FIELD or UPDATE_CONTEXT_FIELD',
    [`PUT ${context}/userId`]: 'UPDATE_CONTEXT_FIELD',
    [`POST ${context}/userId/legal-values`]: 'UPDATE_CONTEXT_FIELD',
    [`DELETE ${context}/userId/legal-values/x`]: 'UPDATE_CONTEXT_FIELD',
    [`DELETE ${context}/userId`]: 'DELETE_CONTEXT_FIELD',
  };
  for (const [request, permission] of Object.entries(needed)) {
    const response = await limited.ask(request as `POST ${string}`);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ name: 'NoAccessError' });
    expect(response.json().message).toContain(`the ${permission} permission`);
  }
});
