import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../test/support/app.ts';
import { limitedApp } from '../../../test/support/limited-app.ts';
import { make } from '../../../test/support/make.ts';
import { transactOn } from '../../installation.ts';
import type { Database } from '../../platform/db/database.ts';
import { addTags, addTagsTo, type Tag } from './index.ts';
import { insertFeatureTags } from './queries/feature-tags.ts';
import { insertTags } from './queries/tag.ts';
import { changeTagsInBulk } from './service/feature-tags.ts';

let on: TestApp;
beforeAll(async () => {
  on = await testApp();
  await make(on.ask).project('other');
  await on.ask('POST /api/admin/tag-types', { payload: { name: 'alpha' } });
});

const of = (feature: string) => `/api/admin/features/${feature}/tags`;
const simple = (value: string): Tag => ({ type: 'simple', value });

const feature = (name: string, more: Record<string, unknown> = {}) =>
  make(on.ask).feature(name, more);
const read = async (name: string): Promise<Tag[]> => (await on.ask(`GET ${of(name)}`)).json().tags;
const add = (name: string, payload: object) => on.ask(`POST ${of(name)}`, { payload });
const change = (name: string, payload: object) => on.ask(`PUT ${of(name)}`, { payload });
const remove = (name: string, { type, value }: Tag) =>
  on.ask(`DELETE ${of(name)}/${encodeURIComponent(type)}/${encodeURIComponent(value)}`);
const bulk = (features: unknown, tags: object, project = 'default') =>
  on.ask(`PUT /api/admin/projects/${project}/tags`, { payload: { features, tags } });

const eventsOf = (response: { headers: Record<string, unknown> }) =>
  on.db
    .selectFrom('events')
    .where('request_id', '=', String(response.headers['x-request-id']))
    .select([
      'type',
      'project',
      'environment',
      'feature_name as feature',
      'data',
      'pre_data as preData',
      'tags',
    ])
    .orderBy('id')
    .execute();

const created = (tag: Tag) => ({
  type: 'tag-created',
  project: null,
  environment: null,
  feature: null,
  data: tag,
  preData: null,
  tags: [],
});
const tagged = (name: string, tag: Tag, tags: Tag[], project = 'default') => ({
  type: 'feature-tagged',
  project,
  environment: null,
  feature: name,
  data: tag,
  preData: null,
  tags,
});
const untagged = (name: string, tag: Tag, tags: Tag[], project = 'default') => ({
  ...tagged(name, tag, tags, project),
  type: 'feature-untagged',
  data: null,
  preData: tag,
});

describe('tagging a feature', () => {
  test('answers 201 with the tag; a new value is told first', async () => {
    await feature('first', { project: 'other' });
    const tag = simple('new value');
    const response = await add('first', { ...tag, unknown: 1 });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual(tag);
    expect(await eventsOf(response)).toEqual([created(tag), tagged('first', tag, [tag], 'other')]);
    expect((await on.ask(`GET ${of('first')}`)).json()).toEqual({ version: 1, tags: [tag] });
    expect((await on.ask('GET /api/admin/tags/simple')).json().tags).toContainEqual(tag);

    const second = { type: 'alpha', value: 'zz' };
    await on.ask('POST /api/admin/tags', { payload: second });
    const again = await add('first', second);
    expect(await eventsOf(again)).toEqual([tagged('first', second, [second, tag], 'other')]);
    expect(await read('first')).toEqual([second, tag]);
  });

  test('with a tag that it has answers 409 and records nothing', async () => {
    const tag = simple('had');
    await feature('had', { tags: [tag] });
    const response = await add('had', tag);
    expect([response.statusCode, response.json().name]).toEqual([409, 'NameExistsError']);
    expect(await eventsOf(response)).toEqual([]);
  });

  test('of five racing taggings with one new tag, one succeeds and is told', async () => {
    await feature('raced');
    const tag = simple('raced value');
    const responses = await Promise.all(Array.from({ length: 5 }, () => add('raced', tag)));
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
    const events = (await Promise.all(responses.map(eventsOf))).flat();
    expect(events).toEqual([created(tag), tagged('raced', tag, [tag])]);
  });

  test('racing taggings with different tags are all kept, each told with those before it', async () => {
    await feature('crowded');
    const values = ['v1', 'v2', 'v3', 'v4', 'v5'].map(simple);
    const responses = await Promise.all(values.map((tag) => add('crowded', tag)));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201]);
    expect(await read('crowded')).toEqual(values);
    const told = (await Promise.all(responses.map(eventsOf)))
      .flat()
      .filter(({ type }) => type === 'feature-tagged')
      .map((event) => (event.tags as Tag[]).length);
    expect(told.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test('features that race for one new tag all get it, and it is created once', async () => {
    const names = ['share-1', 'share-2', 'share-3', 'share-4'];
    for (const name of names) await feature(name);
    const tag = simple('shared value');
    const responses = await Promise.all(names.map((name) => add(name, tag)));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
    const events = (await Promise.all(responses.map(eventsOf))).flat();
    expect(events.filter(({ type }) => type === 'tag-created')).toEqual([created(tag)]);
    expect(events).toHaveLength(5);
  });

  test('with a tag of an unknown type answers 400', async () => {
    await feature('untyped');
    const response = await add('untyped', { type: 'nosuch', value: 'value' });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      { path: '/body/type', message: "There is no tag type 'nosuch'" },
    ]);
  });
});

describe('changing several tags of a feature', () => {
  test('tells each with the tags of its moment, and answers with all', async () => {
    const [a, b, c, d] = ['aa', 'bb', 'cc', 'dd'].map(simple) as [Tag, Tag, Tag, Tag];
    await feature('several', { tags: [b, c] });
    const response = await change('several', { addedTags: [d, a, b, a], removedTags: [c] });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ version: 1, tags: [a, b, d] });
    expect(await read('several')).toEqual([a, b, d]);
    expect(await eventsOf(response)).toEqual([
      created(a),
      created(d),
      tagged('several', a, [a, b, c]),
      tagged('several', d, [a, b, c, d]),
      untagged('several', c, [a, b, c, d]),
    ]);
  });

  test('that change nothing records nothing', async () => {
    const tag = simple('stays');
    await feature('calm', { tags: [tag] });
    for (const wish of [
      {},
      { addedTags: [], removedTags: [] },
      { addedTags: [tag] },
      { removedTags: [simple('never had')] },
      { removedTags: [{ type: 'nosuch', value: 'never had' }] },
    ]) {
      const response = await change('calm', wish);
      expect(response.json()).toEqual({ version: 1, tags: [tag] });
      expect(await eventsOf(response)).toEqual([]);
    }
    expect((await on.ask('GET /api/admin/tags/simple/never%20had')).statusCode).toBe(404);
  });

  test('orders as the database does, characters beyond the first plane included', async () => {
    const values = ['zz', 'ﬀﬀ', '😀😀', 'Aa', 'aa'].map(simple);
    await feature('ordered');
    const { tags } = (await change('ordered', { addedTags: values })).json();
    expect(tags.map(({ value }: Tag) => value)).toEqual(['Aa', 'aa', 'zz', 'ﬀﬀ', '😀😀']);
    expect(await read('ordered')).toEqual(tags);
  });

  test('every fault is told at once', async () => {
    await feature('faulty');
    const both = simple('both');
    const wish = { addedTags: [both], removedTags: [simple('only'), both] };
    const contradiction = await change('faulty', wish);
    expect(contradiction.statusCode).toBe(400);
    expect(contradiction.json().details).toMatchObject([{ path: '/body/removedTags/1' }]);
    const unknown = await change('faulty', {
      addedTags: ['x1', 'simple', 'x2'].map((type) => ({ type, value: 'value' })),
    });
    expect(unknown.statusCode).toBe(400);
    expect(unknown.json().details).toMatchObject([
      { path: '/body/addedTags/0/type' },
      { path: '/body/addedTags/2/type' },
    ]);
    const many = Array.from({ length: 101 }, (_, n) => simple(`many-${n}`));
    const { details } = (await change('faulty', { addedTags: many, removedTags: 'none' })).json();
    expect(details).toMatchObject([{ path: '/body/addedTags' }, { path: '/body/removedTags' }]);
    expect(await read('faulty')).toEqual([]);
  });
});

describe('taking a tag off a feature', () => {
  test('tells the tags that it had', async () => {
    const [a, b] = [simple('off a'), simple('b/%?')];
    await feature('shorn', { tags: [a, b] });
    const response = await remove('shorn', b);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await eventsOf(response)).toEqual([untagged('shorn', b, [b, a])]);
    expect(await read('shorn')).toEqual([a]);
    expect((await on.ask('GET /api/admin/tags/simple')).json().tags).toContainEqual(b);
  });

  test('that it does not have answers 404', async () => {
    await feature('bald');
    const response = await remove('bald', simple('nosuch'));
    expect(response.statusCode).toBe(404);
    expect(response.json().message).toBe("There is no tag 'simple:nosuch'");
  });

  test('twice at once works once', async () => {
    const tag = simple('fought over');
    await feature('fought', { tags: [tag] });
    const responses = await Promise.all([remove('fought', tag), remove('fought', tag)]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
    expect((await Promise.all(responses.map(eventsOf))).flat()).toHaveLength(1);
  });
});

describe('tagging in bulk', () => {
  test('changes each feature as it needs, in the order of their names', async () => {
    const [old, kept, fresh] = ['bulk old', 'bulk kept', 'bulk new'].map(simple) as [Tag, Tag, Tag];
    await feature('bulk-2', { tags: [old, kept] });
    await feature('bulk-1', { tags: [kept] });
    await feature('bulk-3', { tags: [fresh] });
    const response = await bulk(['bulk-2', 'bulk-1', 'bulk-3', 'bulk-1'], {
      addedTags: [fresh],
      removedTags: [old],
    });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await eventsOf(response)).toEqual([
      tagged('bulk-1', fresh, [kept, fresh]),
      tagged('bulk-2', fresh, [kept, fresh, old]),
      untagged('bulk-2', old, [kept, fresh, old]),
    ]);
    expect(await read('bulk-1')).toEqual([kept, fresh]);
    expect(await read('bulk-2')).toEqual([kept, fresh]);
    expect(await read('bulk-3')).toEqual([fresh]);
    const again = await bulk(['bulk-1', 'bulk-2'], { addedTags: [fresh], removedTags: [old] });
    expect(again.statusCode).toBe(200);
    expect(await eventsOf(again)).toEqual([]);
  });

  test('creates a new value once, before all features', async () => {
    const tag = simple('bulk created');
    await feature('both-1');
    await feature('both-2');
    const response = await bulk(['both-1', 'both-2'], { addedTags: [tag], removedTags: [] });
    expect(await eventsOf(response)).toEqual([
      created(tag),
      tagged('both-1', tag, [tag]),
      tagged('both-2', tag, [tag]),
    ]);
  });

  test('takes as many statements for many features as for one', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `many-${n}`);
    for (const name of names) await feature(name);
    let statements = 0;
    const counted = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ ...on.connection, max: 1 }) }),
      log: () => {
        statements += 1;
      },
    });
    const countOf = async (features: string[], value: string) => {
      const before = statements;
      const wish = { addedTags: [simple(value)], removedTags: [simple('never there')] };
      await transactOn(counted)(testActor, (tx) => changeTagsInBulk(tx, 'default', features, wish));
      return statements - before;
    };
    expect(await countOf(names, 'to all')).toBe(await countOf(['many-0'], 'to one'));
    await counted.destroy();
    expect(await read('many-19')).toEqual([simple('to all')]);
  });

  test('all or nothing: features and types that do not exist are faults, all at once', async () => {
    await feature('there');
    await feature('gone');
    await on.ask('DELETE /api/admin/projects/default/features/gone');
    await feature('abroad', { project: 'other' });
    const response = await bulk(['nosuch', 'there', 'gone', 'abroad'], {
      addedTags: [simple('never'), { type: 'unknown', value: 'value' }],
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual([
      '/body/features/0',
      '/body/features/2',
      '/body/features/3',
      '/body/tags/addedTags/1/type',
    ]);
    expect(await eventsOf(response)).toEqual([]);
    expect(await read('there')).toEqual([]);
  });

  test('refuses what contradicts itself, or is too much', async () => {
    const tag = simple('both ways');
    const contradiction = await bulk(['any'], { addedTags: [tag], removedTags: [tag] });
    expect(contradiction.json().details).toMatchObject([{ path: '/body/tags/removedTags/0' }]);
    const names = Array.from({ length: 1000 }, (_, n) => `f-${n}`);
    const six = Array.from({ length: 6 }, (_, n) => simple(`t-${n}`));
    const large = await bulk(names, { addedTags: six });
    expect(large.statusCode).toBe(400);
    expect(large.json().details).toMatchObject([
      { path: '/body', message: expect.stringContaining('6000 changes') },
    ]);
    for (const [wish, path] of [
      [{ tags: {} }, '/body/features'],
      [{ features: ['any'] }, '/body/tags'],
      [{ features: Array(1001).fill('any'), tags: {} }, '/body/features'],
    ] as const) {
      const response = await on.ask('PUT /api/admin/projects/default/tags', { payload: wish });
      expect(response.statusCode).toBe(400);
      expect(response.json().details).toMatchObject([{ path }]);
    }
  });

  test('two that race in opposite orders both succeed', async () => {
    const names = ['cross-1', 'cross-2', 'cross-3'];
    for (const name of names) await feature(name);
    const [a, b] = [simple('cross a'), simple('cross b')];
    const responses = await Promise.all([
      bulk(names, { addedTags: [a, b] }),
      bulk([...names].reverse(), { addedTags: [b, a] }),
    ]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await Promise.all(responses.map(eventsOf))).flat()).toHaveLength(2 + 6);
  });

  test('in a project that does not exist answers 404', async () => {
    expect((await bulk([], {}, 'nosuch')).statusCode).toBe(404);
  });
});

describe('a feature that is not there', () => {
  test('unknown, archived, or of a project that may not be known: 404', async () => {
    const tag = simple('kept in archive');
    await feature('archived', { tags: [tag] });
    await on.ask('DELETE /api/admin/projects/default/features/archived');
    await feature('secret', { project: 'other', tags: [tag] });
    const limited = await limitedApp(on, { sees: new Set(['default']) });
    for (const [name, { ask }] of [
      ['nosuch', on],
      ['archived', on],
      ['secret', limited],
    ] as const) {
      for (const response of [
        await ask(`GET ${of(name)}`),
        await ask(`POST ${of(name)}`, { payload: simple('any') }),
        await ask(`PUT ${of(name)}`, { payload: {} }),
        await ask(`DELETE ${of(name)}/simple/kept%20in%20archive`),
      ]) {
        expect(response.statusCode).toBe(404);
        expect(response.json().message).toBe(`There is no feature '${name}'`);
      }
    }
  });
});

describe('permissions', () => {
  test('reading needs none, changing UPDATE_FEATURE in the project of the feature', async () => {
    await feature('watched', { project: 'other' });
    const limited = await limitedApp(on, {
      may: (permission, scope) => permission === 'none' || scope === 'default',
    });
    expect((await limited.ask(`GET ${of('watched')}`)).statusCode).toBe(200);
    for (const request of [
      `POST ${of('watched')}`,
      `PUT ${of('watched')}`,
      `DELETE ${of('watched')}/simple/any`,
      'PUT /api/admin/projects/other/tags',
    ] as const) {
      const response = await limited.ask(request);
      expect(response.statusCode).toBe(403);
      expect(response.json().message).toContain('UPDATE_FEATURE');
    }
    const own = await limited.ask('PUT /api/admin/projects/default/tags', {
      payload: { features: [], tags: {} },
    });
    expect(own.statusCode).toBe(200);
  });
});

test('a feature that was just made gets its tags, each once, and all are told back', async () => {
  await feature('made');
  const [a, b] = [simple('made a'), simple('made b')];
  const now = await on.transact(testActor, (tx) =>
    addTags(tx, { name: 'made', project: 'default', tags: [] }, [b, a, b]),
  );
  expect(now).toEqual([a, b]);
  const none = await on.transact(testActor, (tx) =>
    addTags(tx, { name: 'made', project: 'default', tags: [a, b] }, [a]),
  );
  expect(none).toEqual([a, b]);
  expect(await read('made')).toEqual([a, b]);
});

test('an import tags any number of features at once', async () => {
  const tags = Array.from({ length: 17_000 }, (_, n) => simple(`import-${n}`));
  await feature('imported');
  await feature('imported-too');
  const wishes = ['imported', 'imported-too'].map((name) => ({
    feature: { name, project: 'default', tags: [] },
    tags: name === 'imported' ? tags.slice(0, 3) : tags.slice(2, 4),
  }));
  const now = await on.transact(testActor, (tx) => addTagsTo(tx, wishes));
  expect(now).toEqual([tags.slice(0, 3), tags.slice(2, 4)]);
  expect(await read('imported-too')).toEqual(tags.slice(2, 4));
  await on.transact(testActor, async (tx) => {
    await insertTags(tx, tags);
    await insertFeatureTags(
      tx,
      tags.slice(4).map((tag) => ({ feature: 'imported', tag })),
    );
  });
  expect(await read('imported')).toHaveLength(17_000 - 1);
});
