import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { make } from '../../../../test/support/make.ts';
import { raceRounds } from '../../../../test/support/random-cases.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { tagFaults } from './index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const tags = '/api/admin/tags';
const tagsPath = (feature: string) => `/api/admin/features/${feature}/tags`;

const create = (payload: object) => app.ask(`POST ${tags}`, { payload });
const at = (type: string, value: string) =>
  `${tags}/${encodeURIComponent(type)}/${encodeURIComponent(value)}`;

describe('creating a tag', () => {
  test('returns 201 with the tag, which can then be read and listed', async () => {
    const tag = { type: 'simple', value: 'read/ every % way?' };
    const response = await create({ ...tag, unknown: 1 });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({ version: 1, tag });
    expect(await recordedBy(app.db, response)).toEqual([
      { type: 'tag-created', project: null, environment: null, data: tag, preData: null },
    ]);
    expect((await app.ask(`GET ${at(tag.type, tag.value)}`)).json()).toEqual({ version: 1, tag });
    expect((await app.ask(`GET ${tags}/simple`)).json()).toEqual({ version: 1, tags: [tag] });
  });

  test('adds it to lists ordered by type and value', async () => {
    await app.ask('POST /api/admin/tag-types', { payload: { name: 'other' } });
    for (const value of ['zz', 'mm']) await create({ type: 'other', value });
    const listed = (await app.ask(`GET ${tags}`)).json();
    expect(listed.version).toBe(1);
    expect(listed.tags.slice(0, 2)).toEqual([
      { type: 'other', value: 'mm' },
      { type: 'other', value: 'zz' },
    ]);
    expect(listed.tags[2].type).toBe('simple');
  });

  test('returns 409 for an existing tag and records nothing', async () => {
    await create({ type: 'simple', value: 'taken' });
    const before = await countEvents(app.db);
    const response = await create({ type: 'simple', value: 'taken' });
    expect([response.statusCode, response.json().name]).toEqual([409, 'NameExistsError']);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('succeeds once for five concurrent requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => create({ type: 'simple', value: 'raced' })),
    );
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
  });

  test('returns 400 for an unknown type', async () => {
    const response = await create({ type: 'nosuch', value: 'value' });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      { path: '/body/type', message: "Tag type 'nosuch' not found" },
    ]);
  });
});

describe('2.2: the length of tag types and values, 2 to 50 code points', () => {
  const smile = '😀';
  const otherWays: readonly (readonly [
    string,
    string,
    (tag: object) => ReturnType<typeof create>,
  ])[] = [
    [
      'POST features/:f/tags',
      '/body',
      (tag) => app.ask(`POST ${tagsPath('lengths')}`, { payload: tag }),
    ],
    [
      'PUT features/:f/tags',
      '/body/addedTags/0',
      (tag) => app.ask(`PUT ${tagsPath('lengths')}`, { payload: { addedTags: [tag] } }),
    ],
    [
      'PUT features/:f/tags (removedTags)',
      '/body/removedTags/0',
      (tag) => app.ask(`PUT ${tagsPath('lengths')}`, { payload: { removedTags: [tag] } }),
    ],
    [
      'PUT projects/:p/tags',
      '/body/tags/addedTags/0',
      (tag) =>
        app.ask('PUT /api/admin/projects/default/tags', {
          payload: { features: ['lengths'], tags: { addedTags: [tag] } },
        }),
    ],
    [
      'POST projects/:p/features',
      '/body/tags/0',
      (tag) =>
        app.ask('POST /api/admin/projects/default/features', {
          payload: { name: `with-tag-${randomUUID()}`, tags: [tag] },
        }),
    ],
  ];
  beforeAll(() => make(app.ask).feature('lengths'));

  async function expectRejected(
    text: unknown,
    place: string,
    send: (tag: object) => ReturnType<typeof create>,
  ): Promise<void> {
    const value = await send({ type: 'simple', value: text });
    const type = await send({ type: text, value: 'value' });
    for (const [response, path] of [
      [value, `${place}/value`],
      [type, `${place}/type`],
    ] as const) {
      expect(response.statusCode).toBe(400);
      const paths = response.json().details.map((fault: { path: string }) => fault.path);
      expect(new Set(paths)).toEqual(new Set([path]));
    }
  }

  test.each([smile, smile.repeat(51), 'a', 'a'.repeat(51), '', 7, null])(
    'a value or a type of %j is rejected with its path',
    (text) => expectRejected(text, '/body', create),
  );

  test.each([smile.repeat(2), smile.repeat(50), 'ab', 'a'.repeat(50)])(
    'a value of %j is accepted',
    async (value) => expect((await create({ type: 'simple', value })).statusCode).toBe(201),
  );

  test.each(otherWays)('applies to %s', async (_words, place, send) => {
    await expectRejected(smile.repeat(51), place, send);
    const response = await send({ type: 'simple', value: smile.repeat(50) });
    expect(response.statusCode, response.body).not.toBe(400);
  });

  test('allows a tag of 50 astral characters, which can be read and removed by its URL', async () => {
    const tag = { type: 'simple', value: '𝔸'.repeat(50) };
    await create(tag);
    expect((await app.ask(`GET ${at(tag.type, tag.value)}`)).json().tag).toEqual(tag);
    expect((await app.ask(`DELETE ${at(tag.type, tag.value)}`)).statusCode).toBe(200);
  });
});

describe('deleting a tag', () => {
  test('records only the tag if no feature has it', async () => {
    const tag = { type: 'simple', value: 'unused' };
    await create(tag);
    const response = await app.ask(`DELETE ${at(tag.type, tag.value)}`);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toEqual([
      { type: 'tag-deleted', project: null, environment: null, data: tag, preData: null },
    ]);
    expect((await app.ask(`GET ${at(tag.type, tag.value)}`)).statusCode).toBe(404);
  });

  test('removes it from every feature, active or archived, in the order of their names', async () => {
    const tag = { type: 'simple', value: 'everywhere' };
    const other = { type: 'simple', value: 'another' };
    const { feature, project } = make(app.ask);
    await project('elsewhere');
    await feature('has-c', { tags: [tag] });
    await feature('has-a', { tags: [tag, other] });
    await feature('has-b', { project: 'elsewhere', tags: [tag] });
    await app.ask('DELETE /api/admin/projects/default/features/has-c');
    const response = await app.ask(`DELETE ${at(tag.type, tag.value)}`);
    expect(response.statusCode).toBe(200);
    const events = await app.db
      .selectFrom('events')
      .where('request_id', '=', String(response.headers['x-request-id']))
      .select(['type', 'project', 'feature_name as feature', 'data', 'pre_data as preData', 'tags'])
      .orderBy('id')
      .execute();
    const untagged = { type: 'feature-untagged', data: null, preData: tag };
    expect(events).toEqual([
      { ...untagged, project: 'default', feature: 'has-a', tags: [other, tag] },
      { ...untagged, project: 'elsewhere', feature: 'has-b', tags: [tag] },
      { ...untagged, project: 'default', feature: 'has-c', tags: [tag] },
      {
        type: 'tag-deleted',
        project: null,
        feature: null,
        data: tag,
        preData: null,
        tags: [],
      },
    ]);
    expect((await app.ask(`GET ${tagsPath('has-a')}`)).json().tags).toEqual([other]);
  });

  test('requires the permission in each project whose features have it', async () => {
    const tag = { type: 'simple', value: 'guarded' };
    const { feature, project } = make(app.ask);
    await project('guarded');
    await feature('guarded-feature', { project: 'guarded', tags: [tag] });
    const limited = limitedApp(app, { may: (_permission, scope) => scope !== 'guarded' });
    const response = await limited.ask(`DELETE ${at(tag.type, tag.value)}`);
    expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
    expect((await app.ask(`GET ${tagsPath('guarded-feature')}`)).json().tags).toEqual([tag]);
  });

  test('and adding it to features concurrently leaves the state that the events describe', async () => {
    const tag = { type: 'simple', value: 'contested' };
    const names = ['give-1', 'give-2', 'give-3'];
    for (const name of names) await make(app.ask).feature(name);
    const netTaggings = new Map(names.map((name) => [name, 0]));
    for (let round = 0; round < raceRounds; round += 1) {
      await create(tag);
      const responses = await Promise.all([
        ...names.map((name) => app.ask(`PUT ${tagsPath(name)}`, { payload: { addedTags: [tag] } })),
        app.ask(`DELETE ${at(tag.type, tag.value)}`),
      ]);
      for (const { statusCode, body } of responses) expect(statusCode, body).toBe(200);
    }
    const events = await app.db
      .selectFrom('events')
      .where('feature_name', 'in', names)
      .where('type', 'in', ['feature-tagged', 'feature-untagged'])
      .select(['type', 'feature_name as feature'])
      .orderBy('id')
      .execute();
    for (const { type, feature } of events) {
      const before = netTaggings.get(feature ?? '') ?? 0;
      expect(before, 'tagged and untagged take turns').toBe(type === 'feature-tagged' ? 0 : 1);
      netTaggings.set(feature ?? '', 1 - before);
    }
    for (const name of names) {
      const { tags: has } = (await app.ask(`GET ${tagsPath(name)}`)).json();
      expect(has).toHaveLength(netTaggings.get(name) ?? -1);
    }
  });
});

test('unknown tags and tag types return 404', async () => {
  for (const request of [
    `GET ${tags}/nosuch`,
    `GET ${tags}/simple/nosuch`,
    `GET ${tags}/nosuch/nosuch`,
    `DELETE ${tags}/simple/nosuch`,
  ] as const) {
    const response = await app.ask(request);
    expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
  }
});

test('reading tags needs no permission, and changes need UPDATE_FEATURE', async () => {
  const limited = limitedApp(app, { may: (permission) => permission === 'none' });
  expect((await limited.ask(`GET ${tags}`)).statusCode).toBe(200);
  for (const request of [`POST ${tags}`, `DELETE ${tags}/simple/any`] as const) {
    const response = await limited.ask(request);
    expect(response.statusCode).toBe(403);
    expect(response.json().message).toContain('UPDATE_FEATURE');
  }
});

test('tags of unknown types are reported with their positions', async () => {
  const wanted = ['nosuch', 'simple', 'none'].map((type) => ({ type, value: 'value' }));
  expect(await tagFaults(app.db, wanted, '/body/tags')).toEqual([
    { path: '/body/tags/0/type', message: "Tag type 'nosuch' not found" },
    { path: '/body/tags/2/type', message: "Tag type 'none' not found" },
  ]);
  expect(await tagFaults(app.db, [], '/body/tags')).toEqual([]);
});
