import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { make } from '../../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  const { project } = make(app.ask);
  await project('shop');
  await project('bank');
  await project('asleep');
});

const segments = '/api/admin/segments';

const create = (payload: object) => app.ask(`POST ${segments}`, { payload });
const createdId = async (payload: object): Promise<number> => {
  const response = await create({ constraints: [], ...payload });
  expect([response.statusCode, response.body]).toEqual([201, expect.anything()]);
  return response.json().id;
};
const update = (id: number | string, payload: object) =>
  app.ask(`PUT ${segments}/${id}`, { payload });
const remove = (id: number | string) => app.ask(`DELETE ${segments}/${id}`);
const read = async (id: number) => (await app.ask(`GET ${segments}/${id}`)).json();
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const pathsOf = (response: { json: () => { details: { path: string }[] } }) =>
  response.json().details.map(({ path }) => path);

const constraint = { contextName: 'userId', operator: 'IN', values: ['1', '2'] };
const kept = { ...constraint, caseInsensitive: false, inverted: false };
const unused = { usedInFeatures: 0, usedInProjects: 0 };

describe('creating a segment', () => {
  test('creates a global segment and applies defaults', async () => {
    const response = await create({ name: 'testers', constraints: [constraint], unknown: 1 });
    expect(response.statusCode).toBe(201);
    const segment = {
      id: expect.any(Number),
      name: 'testers',
      description: null,
      constraints: [kept],
      createdBy: 'admin',
      createdAt: expect.stringMatching(instant),
    };
    expect(response.json()).toEqual(segment);
    expect(await read(response.json().id)).toEqual({ ...segment, ...unused });
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'segment-created',
        project: null,
        environment: null,
        data: { ...segment, userId: expect.any(Number) },
        preData: null,
      },
    ]);
  });

  test('creates a segment of one project and records it there', async () => {
    const input = { name: 'shoppers', description: 'Buyers', project: 'shop', constraints: [] };
    const response = await create(input);
    expect(response.json()).toMatchObject(input);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'segment-created', project: 'shop', data: input },
    ]);
    const global = await create({ name: 'global', project: null, constraints: [] });
    expect(global.json()).not.toHaveProperty('project');
  });

  test('rejects a project that is unknown, archived or invisible to the caller', async () => {
    await app.ask('POST /api/admin/projects/archive/asleep');
    const before = await countEvents(app.db);
    const limited = limitedApp(app, { sees: new Set(['shop']) });
    const answers = [
      [await create({ name: 'x', project: 'nosuch', constraints: [] }), 'nosuch'],
      [await create({ name: 'x', project: 'asleep', constraints: [] }), 'asleep'],
      [
        await limited.ask(`POST ${segments}`, {
          payload: { name: 'x', project: 'bank', constraints: [] },
        }),
        'bank',
      ],
    ] as const;
    for (const [response, project] of answers) {
      expect(response.statusCode).toBe(400);
      expect(response.json().details).toEqual([
        { path: '/body/project', message: `Project '${project}' not found` },
      ]);
    }
    expect(await countEvents(app.db)).toBe(before);
  });

  test('returns 409 for a name in use and records nothing', async () => {
    await createdId({ name: 'taken' });
    const before = await countEvents(app.db);
    const response = await create({ name: 'taken', project: 'shop', constraints: [] });
    expect([response.statusCode, response.json().name]).toEqual([409, 'NameExistsError']);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('succeeds once when ten requests use the same name', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => create({ name: 'raced', constraints: [] })),
    );
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  test('reports all validation errors together', async () => {
    const response = await create({
      name: ' ',
      description: 7,
      project: 7,
      constraints: [{ contextName: '', operator: 'LIKE' }],
    });
    expect(response.statusCode).toBe(400);
    expect(new Set(pathsOf(response))).toEqual(
      new Set([
        '/body/name',
        '/body/description',
        '/body/project',
        '/body/constraints/0/contextName',
        '/body/constraints/0/operator',
      ]),
    );
    const values = await create({
      name: 'x',
      constraints: [constraint, { contextName: 'age', operator: 'NUM_GT', value: 'old' }],
    });
    expect(pathsOf(values)).toEqual(['/body/constraints/1/value']);
    expect(pathsOf(await create({}))).toEqual(['/body/name', '/body/constraints']);
    const long = await create({ name: 'x'.repeat(256), constraints: [] });
    expect(pathsOf(long)).toEqual(['/body/name']);
    expect((await create({ name: 'x'.repeat(255), constraints: [] })).statusCode).toBe(201);
    const many = await create({ name: 'x', constraints: Array(31).fill(constraint) });
    expect(pathsOf(many)).toEqual(['/body/constraints']);
  });

  test('accepts up to 7500 values in total, in any number of constraints', async () => {
    const values = Array.from({ length: 7500 }, (_, index) => `tenant-${index}`);
    const one = await create({ name: 'tenants', constraints: [{ ...constraint, values }] });
    expect([one.statusCode, one.json().constraints?.[0].values]).toEqual([201, values]);
    const check = await app.ask('POST /api/admin/constraints/validate', {
      payload: { ...constraint, values },
    });
    expect(check.statusCode).toBe(204);
    const halves = [values.slice(0, 3750), values.slice(3750)];
    const two = await create({
      name: 'halves',
      constraints: halves.map((half) => ({ ...constraint, values: half })),
    });
    expect(two.statusCode).toBe(201);
    const tooMany = await create({
      name: 'too many',
      constraints: [constraint, { ...constraint, values }],
    });
    expect([tooMany.statusCode, pathsOf(tooMany)]).toEqual([400, ['/body/constraints']]);
  });

  test('reports values that are not legal together with an unknown project', async () => {
    const payload = { name: 'country', legalValues: [{ value: 'no' }] };
    await app.ask('POST /api/admin/context', { payload });
    const response = await create({
      name: 'x',
      project: 'nosuch',
      constraints: [constraint, { contextName: 'country', operator: 'IN', values: ['no', 'de'] }],
    });
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response)).toEqual(['/body/project', '/body/constraints/1/values/1']);
  });
});

describe('reading segments', () => {
  test('lists them by name and hides those of invisible projects', async () => {
    const global = await createdId({ name: 'list-a' });
    const shop = await createdId({ name: 'list-c', project: 'shop' });
    const bank = await createdId({ name: 'list-b', project: 'bank' });
    const listed = async (app: TestApp) => {
      const response = await app.ask(`GET ${segments}`);
      expect(response.statusCode).toBe(200);
      const names = response.json().segments.map(({ name }: { name: string }) => name);
      return names.filter((name: string) => name.startsWith('list-'));
    };
    expect(await listed(app)).toEqual(['list-a', 'list-b', 'list-c']);
    const limited = limitedApp(app, { sees: new Set(['shop']) });
    expect(await listed(limited)).toEqual(['list-a', 'list-c']);

    expect((await limited.ask(`GET ${segments}/${global}`)).statusCode).toBe(200);
    expect((await limited.ask(`GET ${segments}/${shop}`)).json()).toMatchObject({
      id: shop,
      project: 'shop',
      ...unused,
    });
    const hidden = [
      await limited.ask(`GET ${segments}/${bank}`),
      await limited.ask(`GET ${segments}/${bank}/strategies`),
      await limited.ask(`PUT ${segments}/${bank}`, { payload: { name: 'x', constraints: [] } }),
      await limited.ask(`DELETE ${segments}/${bank}`),
    ];
    for (const response of hidden) {
      expect(response.statusCode).toBe(404);
      expect(response.json().message).toBe(`Segment '${bank}' not found`);
    }
  });

  test.each(['abc', '0', '-1', '1.5', '1e3', '2147483648', '9'.repeat(40), '%20', '१'])(
    'returns 404 for the id %s',
    async (id) => {
      const responses = [
        await app.ask(`GET ${segments}/${encodeURI(id)}`),
        await app.ask(`GET ${segments}/${encodeURI(id)}/strategies`),
        await update(encodeURI(id), { name: 'x', constraints: [] }),
        await remove(encodeURI(id)),
      ];
      for (const response of responses) expect(response.statusCode).toBe(404);
    },
  );
});

describe('validating the name of a segment', () => {
  const validate = (name: unknown) => app.ask(`POST ${segments}/validate`, { payload: { name } });

  test('returns 204 for a free name, 409 for a name in use and 400 for a blank one', async () => {
    await createdId({ name: 'known', project: 'bank' });
    const free = await validate('free');
    expect([free.statusCode, free.body]).toEqual([204, '']);
    expect((await validate('known')).statusCode).toBe(409);
    expect((await validate(' ')).statusCode).toBe(400);
  });
});

describe('changing a segment', () => {
  test('returns 204 and records the segment before and after', async () => {
    const { id, ...before } = (
      await create({ name: 'old', description: 'Old', project: 'shop', constraints: [] })
    ).json();
    const response = await update(id, { name: 'new', constraints: [constraint] });
    expect([response.statusCode, response.body]).toEqual([204, '']);
    const after = { ...before, name: 'new', constraints: [kept] };
    expect(await read(id)).toEqual({ id, ...after, ...unused });
    const userId = expect.any(Number);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'segment-updated',
        project: 'shop',
        environment: null,
        data: { id, ...after, userId },
        preData: { id, ...before, userId },
      },
    ]);
  });

  test('records nothing if nothing changes', async () => {
    const input = { name: 'same', project: 'shop', constraints: [constraint] };
    const id = await createdId(input);
    for (const payload of [input, { name: 'same', constraints: [kept] }]) {
      const response = await update(id, payload);
      expect(response.statusCode).toBe(204);
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
  });

  test('returns 409 for a name in use and 400 for invalid constraints', async () => {
    await createdId({ name: 'occupied' });
    const id = await createdId({ name: 'renaming' });
    const conflict = await update(id, { name: 'occupied', constraints: [] });
    expect([conflict.statusCode, conflict.json().name]).toEqual([409, 'NameExistsError']);
    const broken = { contextName: 'a', operator: 'SEMVER_GT', value: 'v1.0.0' };
    expect(pathsOf(await update(id, { name: 'renaming', constraints: [broken] }))).toEqual([
      '/body/constraints/0/value',
    ]);
    expect(await read(id)).toMatchObject({ name: 'renaming' });
  });

  test('succeeds while a constraint keeps a value that is no longer legal', async () => {
    const context = '/api/admin/context';
    const legalValues = [{ value: 'cat' }, { value: 'dog' }];
    await app.ask(`POST ${context}`, { payload: { name: 'pet', legalValues } });
    const cats = { contextName: 'pet', operator: 'IN', values: ['cat'] };
    const id = await createdId({ name: 'cats', constraints: [cats] });
    await app.ask(`DELETE ${context}/pet/legal-values/cat`);
    expect((await update(id, { name: 'felines', constraints: [cats] })).statusCode).toBe(204);
    const more = { ...cats, inverted: true };
    const refused = await update(id, { name: 'felines', constraints: [cats, more] });
    expect(pathsOf(refused)).toEqual(['/body/constraints/1/values/0']);
  });

  test('moves an unused segment into a project, to another project and out of it', async () => {
    const id = await createdId({ name: 'moving' });
    const move = (project: string | null) =>
      update(id, { name: 'moving', project, constraints: [] });
    const events = [];
    for (const project of ['shop', 'bank', null]) {
      const response = await move(project);
      expect(response.statusCode).toBe(204);
      expect((await read(id)).project).toBe(project ?? undefined);
      events.push(...(await recordedBy(app.db, response)));
    }
    // A move between two projects is recorded in neither, because readers of one may not see the other.
    expect(events.map(({ project }) => project)).toEqual(['shop', null, 'bank']);
    expect(pathsOf(await move('nosuch'))).toEqual(['/body/project']);
  });

  test('starts a concurrent second change from the result of the first', async () => {
    const id = await createdId({ name: 'twice' });
    const responses = await Promise.all(
      ['one', 'other'].map((description) =>
        update(id, { name: 'twice', description, constraints: [] }),
      ),
    );
    const events = [];
    for (const response of responses) events.push(...(await recordedBy(app.db, response)));
    expect(events).toHaveLength(2);
    const first = events.find(
      ({ preData }) => (preData as { description: string | null }).description === null,
    );
    const second = events.find((event) => event !== first);
    expect(first).toBeDefined();
    expect(second?.preData).toEqual(first?.data);
  });
});

describe('deleting a segment', () => {
  test('returns 204 for an unused segment and records it in preData', async () => {
    const segment = (await create({ name: 'doomed', project: 'bank', constraints: [] })).json();
    const response = await remove(segment.id);
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'segment-deleted',
        project: 'bank',
        environment: null,
        data: null,
        preData: { ...segment, userId: expect.any(Number) },
      },
    ]);
    expect((await remove(segment.id)).statusCode).toBe(404);
  });
});

test('a segment of an archived project can be neither changed nor deleted', async () => {
  await make(app.ask).project('resting');
  const id = await createdId({ name: 'resting', project: 'resting' });
  await app.ask('POST /api/admin/projects/archive/resting');
  for (const response of [await update(id, { name: 'x', constraints: [] }), await remove(id)]) {
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(response.json().message).toContain("archived project 'resting'");
  }
  expect(await read(id)).toMatchObject({ name: 'resting' });
});

test('creating a segment beyond the limit of 1000 is rejected', async () => {
  const existing = (await app.ask(`GET ${segments}`)).json().segments.length;
  const rows = Array.from({ length: 999 - existing }, (_, n) => ({
    name: `segment ${n}`,
    description: null,
    project: null,
    constraints: '[]',
    created_by: 'admin',
    created_by_user_id: -1,
    created_at: new Date(0),
  }));
  await app.db.insertInto('segments').values(rows).execute();
  const payload = (name: string) => ({ payload: { name, constraints: [] } });
  expect((await app.ask(`POST ${segments}`, payload('last'))).statusCode).toBe(201);
  const response = await app.ask(`POST ${segments}`, payload('one more'));
  expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
  expect((await app.ask(`GET ${segments}`)).json().segments).toHaveLength(1000);
});
