import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { raceRounds } from '../../../../../test/support/random-cases.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import { ensureTagType, listTagTypes } from '../index.ts';
import { lockTagsInUse } from '../queries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const types = '/api/admin/tag-types';

const create = (payload: object) => app.ask(`POST ${types}`, { payload });
const validate = (payload: object) => app.ask(`POST ${types}/validate`, { payload });
const change = (name: string, payload: object) => app.ask(`PUT ${types}/${name}`, { payload });
const read = async (name: string) => (await app.ask(`GET ${types}/${name}`)).json().tagType;
const event = (type: string, more: object) => ({
  type,
  project: null,
  environment: null,
  data: null,
  preData: null,
  ...more,
});

describe('an empty installation', () => {
  test('has one tag type, recorded as created by the system', async () => {
    const response = await app.ask(`GET ${types}`);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      version: 1,
      tagTypes: [{ name: 'simple', description: expect.stringMatching(/\w/), usedInFeatures: 0 }],
    });
    const rows = await app.db
      .selectFrom('events')
      .where('type', '=', 'tag-type-created')
      .select(['created_by_user_id as by', 'data'])
      .execute();
    expect(rows).toMatchObject([{ by: -1337, data: { name: 'simple', icon: null, color: null } }]);
  });
});

describe('creating a tag type', () => {
  test('requires only a name and omits what is not set', async () => {
    const response = await create({ name: 'bare' });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({ name: 'bare', description: '' });
    expect(await read('bare')).toEqual({ name: 'bare', description: '' });
    const data = { name: 'bare', description: '', icon: null, color: null };
    expect(await recordedBy(app.db, response)).toEqual([event('tag-type-created', { data })]);
  });

  test('accepts a description, an icon and a color', async () => {
    const whole = { name: 'team', description: 'Whose', icon: 'T', color: '#6c65E5' };
    const response = await create({ ...whole, unknown: 1 });
    expect(response.json()).toEqual(whole);
    expect(await read('team')).toEqual(whole);
    expect(await recordedBy(app.db, response)).toMatchObject([{ data: whole }]);
  });

  test('returns 409 for a name in use, also when validating, and records nothing', async () => {
    const before = await countEvents(app.db);
    for (const response of [await create({ name: 'simple' }), await validate({ name: 'simple' })]) {
      expect([response.statusCode, response.json().name]).toEqual([409, 'NameExistsError']);
    }
    expect(await countEvents(app.db)).toBe(before);
  });

  test('succeeds once when five requests use the same name', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'raced' })));
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
  });

  test.each(['a', 'a'.repeat(51), '..', 'validate', 'a b', 'ab/', '😀😀', '', 7, null])(
    'returns 400 for the name %j and describes a valid name (2.2)',
    async (name) => {
      for (const response of [await create({ name }), await validate({ name })]) {
        expect(response.statusCode).toBe(400);
        for (const { path, message } of response.json().details) {
          expect(path).toBe('/body/name');
          expect(message).toContain('must be 2 to 50 characters of');
        }
      }
    },
  );

  test.each(['ab', 'a'.repeat(50)])('accepts the name %j (2.2)', async (name) => {
    expect((await create({ name })).statusCode).toBe(201);
  });

  test('reports all validation errors together', async () => {
    const response = await create({
      name: 'x',
      description: 1,
      icon: 'i'.repeat(101),
      color: 'red',
    });
    expect(response.statusCode).toBe(400);
    const paths = response.json().details.map(({ path }: { path: string }) => path);
    expect(new Set(paths)).toEqual(
      new Set(['/body/name', '/body/description', '/body/icon', '/body/color']),
    );
  });

  test('can be validated first, which returns the tag type without creating it', async () => {
    const response = await validate({ name: 'not-yet', description: null, icon: 'N' });
    expect(response.statusCode).toBe(200);
    const tagType = { name: 'not-yet', description: '', icon: 'N' };
    expect(response.json()).toEqual({ valid: true, tagType });
    expect((await app.ask(`GET ${types}/not-yet`)).statusCode).toBe(404);
  });
});

describe('changing a tag type', () => {
  test('changes the given properties and records the complete tag type', async () => {
    await create({ name: 'changing', description: 'kept', icon: 'A', color: '#000000' });
    const response = await change('changing', { icon: 'B', name: 'ignored' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const data = { name: 'changing', description: 'kept', icon: 'B', color: '#000000' };
    expect(await read('changing')).toEqual(data);
    expect(await recordedBy(app.db, response)).toEqual([event('tag-type-updated', { data })]);
    await change('changing', { description: null, icon: '', color: null });
    expect(await read('changing')).toEqual({ name: 'changing', description: '' });
  });

  test('records nothing if nothing changes', async () => {
    await create({ name: 'unchanged', icon: 'U' });
    const response = await change('unchanged', { description: '', icon: 'U', color: null });
    expect(response.statusCode).toBe(200);
    expect(await recordedBy(app.db, response)).toEqual([]);
  });

  test('applies two concurrent changes of different properties', async () => {
    await create({ name: 'contested' });
    await Promise.all([
      change('contested', { description: 'Description' }),
      change('contested', { icon: 'I' }),
    ]);
    expect(await read('contested')).toMatchObject({ description: 'Description', icon: 'I' });
  });
});

describe('deleting a tag type', () => {
  const remove = (name: string) => app.ask(`DELETE ${types}/${name}`);

  test('deletes its tags and records each before the type', async () => {
    await create({ name: 'unused', icon: 'U' });
    for (const value of ['two', 'one']) {
      await app.ask('POST /api/admin/tags', { payload: { type: 'unused', value } });
    }
    const response = await remove('unused');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const preData = { name: 'unused', description: '', icon: 'U', color: null };
    expect(await recordedBy(app.db, response)).toEqual([
      event('tag-deleted', { data: { type: 'unused', value: 'one' } }),
      event('tag-deleted', { data: { type: 'unused', value: 'two' } }),
      event('tag-type-deleted', { preData }),
    ]);
    expect((await app.ask(`GET ${types}/unused`)).statusCode).toBe(404);
    expect((await app.ask('GET /api/admin/tags/unused')).statusCode).toBe(404);
  });

  test('is rejected while features have its tags, and names the features that the caller can see', async () => {
    const { feature, project } = make(app.ask);
    await project('hidden');
    await create({ name: 'used' });
    const tags = [{ type: 'used', value: 'value' }];
    await feature('uses-b', { tags });
    await feature('uses-a', { tags });
    await feature('uses-c', { project: 'hidden', tags });
    await app.ask('DELETE /api/admin/projects/default/features/uses-b');
    const response = await remove('used');
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(response.json().message).toContain('by uses-a, uses-b (archived), uses-c.');
    expect(await recordedBy(app.db, response)).toEqual([]);
    const limited = limitedApp(app, { sees: new Set(['default']) });
    const { message } = (await limited.ask(`DELETE ${types}/used`)).json();
    expect(message).toContain('by uses-a, uses-b (archived), features that you cannot see.');
  });

  test('is rejected without waiting while a transaction uses one of its tags', async () => {
    await create({ name: 'wanted' });
    const tag = { type: 'wanted', value: 'value' };
    await app.ask('POST /api/admin/tags', { payload: tag });
    await app.transact(testActor, async (tx) => {
      await lockTagsInUse(tx, [tag]);
      const response = await remove('wanted');
      expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
      expect(response.json().message).toContain('Try again');
    });
    expect((await remove('wanted')).statusCode).toBe(200);
  });

  test('and tagging features with it concurrently never both succeed', async () => {
    const { feature } = make(app.ask);
    await feature('racing');
    for (let round = 0; round < raceRounds; round += 1) {
      const type = `racing-${round}`;
      await create({ name: type });
      await app.ask('POST /api/admin/tags', { payload: { type, value: 'old' } });
      const tag = (value: string) =>
        app.ask('PUT /api/admin/features/racing/tags', {
          payload: {
            addedTags: [
              { type, value: 'old' },
              { type, value },
            ],
          },
        });
      const [tagged, removed] = await Promise.all([tag('new'), remove(type)]);
      const codes = [tagged.statusCode, removed.statusCode];
      expect(
        [
          [200, 403],
          [400, 200],
        ],
        tagged.body + removed.body,
      ).toContainEqual(codes);
      const { tags } = (await app.ask('GET /api/admin/features/racing/tags')).json();
      const has = tags.filter((each: { type: string }) => each.type === type);
      expect(has).toHaveLength(tagged.statusCode === 200 ? 2 : 0);
    }
  });
});

test('an unknown tag type returns 404 for every request', async () => {
  const requests = [
    await app.ask(`GET ${types}/nosuch`),
    await change('nosuch', { icon: 'X' }),
    await app.ask(`DELETE ${types}/nosuch`),
  ];
  for (const response of requests) {
    expect(response.statusCode).toBe(404);
    expect(response.json().message).toBe("Tag type 'nosuch' not found");
  }
});

test('reading tag types needs no permission, and each change needs its own', async () => {
  const limited = limitedApp(app, { may: (permission) => permission === 'none' });
  expect((await limited.ask(`GET ${types}`)).statusCode).toBe(200);
  expect((await limited.ask(`GET ${types}/simple`)).statusCode).toBe(200);
  for (const [request, permission] of [
    [`POST ${types}`, 'CREATE_TAG_TYPE'],
    [`POST ${types}/validate`, 'CREATE_TAG_TYPE or UPDATE_TAG_TYPE'],
    [`PUT ${types}/simple`, 'UPDATE_TAG_TYPE'],
    [`DELETE ${types}/simple`, 'DELETE_TAG_TYPE'],
  ] as const) {
    const response = await limited.ask(request);
    expect(response.statusCode).toBe(403);
    expect(response.json().message).toContain(permission);
  }
});

test('an import creates a tag type once and leaves an existing one unchanged', async () => {
  const before = await countEvents(app.db);
  const ensure = (description: string) =>
    app.transact(testActor, (tx) => ensureTagType(tx, { name: 'ensured', description }));
  expect(await ensure('first')).toBe('created');
  expect(await ensure('second')).toBe('there');
  expect(await countEvents(app.db)).toBe(before + 1);
  expect(await listTagTypes(app.db)).toContainEqual({ name: 'ensured', description: 'first' });
});
