import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import {
  created,
  featureTagsOn,
  simple,
  tagged,
  tagsOf,
  untagged,
} from '../../../../../test/support/feature-tags.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';
import type { Tag } from '../index.ts';

let app: TestApp;
let featureTags: ReturnType<typeof featureTagsOn>;
beforeAll(async () => {
  app = await testApp();
  featureTags = featureTagsOn(app);
  await make(app.ask).project('other');
  await app.ask('POST /api/admin/tag-types', { payload: { name: 'alpha' } });
});

const eventsOf = (response: LightMyRequestResponse) => recordedAboutFeatures(app.db, response);

describe('adding a tag to a feature', () => {
  test('returns 201 with the tag, and records a new tag first', async () => {
    await featureTags.feature('first', { project: 'other' });
    const tag = simple('new value');
    const response = await featureTags.add('first', { ...tag, unknown: 1 });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual(tag);
    expect(await eventsOf(response)).toEqual([created(tag), tagged('first', tag, [tag], 'other')]);
    expect((await app.ask(`GET ${tagsOf('first')}`)).json()).toEqual({ version: 1, tags: [tag] });
    expect((await app.ask('GET /api/admin/tags/simple')).json().tags).toContainEqual(tag);

    const second = { type: 'alpha', value: 'zz' };
    await app.ask('POST /api/admin/tags', { payload: second });
    const again = await featureTags.add('first', second);
    expect(await eventsOf(again)).toEqual([tagged('first', second, [second, tag], 'other')]);
    expect(await featureTags.read('first')).toEqual([second, tag]);
  });

  test('returns the same and records nothing if the feature has the tag', async () => {
    const tag = simple('had');
    await featureTags.feature('had', { tags: [tag] });
    const response = await featureTags.add('had', tag);
    expect(response.statusCode).toBe(201);
    expect(await eventsOf(response)).toEqual([]);
  });

  test('records a new tag once when five concurrent requests add it', async () => {
    await featureTags.feature('raced');
    const tag = simple('raced value');
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => featureTags.add('raced', tag)),
    );
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, 201, 201, 201, 201]);
    const events = (await Promise.all(responses.map(eventsOf))).flat();
    expect(events).toEqual([created(tag), tagged('raced', tag, [tag])]);
  });

  test('records concurrent requests for different tags in sequence, each with the earlier tags', async () => {
    await featureTags.feature('crowded');
    const values = ['v1', 'v2', 'v3', 'v4', 'v5'].map(simple);
    const responses = await Promise.all(values.map((tag) => featureTags.add('crowded', tag)));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201]);
    expect(await featureTags.read('crowded')).toEqual(values);
    const tagCounts = (await Promise.all(responses.map(eventsOf)))
      .flat()
      .filter(({ type }) => type === 'feature-tagged')
      .map((event) => (event.tags as Tag[]).length);
    expect(tagCounts.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test('creates a new tag once when concurrent requests add it to several features', async () => {
    const names = ['share-1', 'share-2', 'share-3', 'share-4'];
    for (const name of names) await featureTags.feature(name);
    const tag = simple('shared value');
    const responses = await Promise.all(names.map((name) => featureTags.add(name, tag)));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
    const events = (await Promise.all(responses.map(eventsOf))).flat();
    expect(events.filter(({ type }) => type === 'tag-created')).toEqual([created(tag)]);
    expect(events).toHaveLength(5);
  });

  test('returns 400 for a tag of an unknown type', async () => {
    await featureTags.feature('untyped');
    const response = await featureTags.add('untyped', { type: 'nosuch', value: 'value' });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      { path: '/body/type', message: "Tag type 'nosuch' not found" },
    ]);
  });
});

describe('changing several tags of a feature', () => {
  test('records each change with the tags at that time and returns all tags', async () => {
    const [a, b, c, d] = ['aa', 'bb', 'cc', 'dd'].map(simple) as [Tag, Tag, Tag, Tag];
    await featureTags.feature('several', { tags: [b, c] });
    const response = await featureTags.change('several', {
      addedTags: [d, a, b, a],
      removedTags: [c],
    });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ version: 1, tags: [a, b, d] });
    expect(await featureTags.read('several')).toEqual([a, b, d]);
    expect(await eventsOf(response)).toEqual([
      created(a),
      created(d),
      tagged('several', a, [a, b, c]),
      tagged('several', d, [a, b, c, d]),
      untagged('several', c, [a, b, c, d]),
    ]);
  });

  test('records nothing if nothing changes', async () => {
    const tag = simple('stays');
    await featureTags.feature('calm', { tags: [tag] });
    for (const input of [
      {},
      { addedTags: [], removedTags: [] },
      { addedTags: [tag] },
      { removedTags: [simple('never had')] },
      { removedTags: [{ type: 'nosuch', value: 'never had' }] },
    ]) {
      const response = await featureTags.change('calm', input);
      expect(response.json()).toEqual({ version: 1, tags: [tag] });
      expect(await eventsOf(response)).toEqual([]);
    }
    expect((await app.ask('GET /api/admin/tags/simple/never%20had')).statusCode).toBe(404);
  });

  test('returns them in the order of the database, including astral characters', async () => {
    const values = ['zz', 'ﬀﬀ', '😀😀', 'Aa', 'aa'].map(simple);
    await featureTags.feature('ordered');
    const { tags } = (await featureTags.change('ordered', { addedTags: values })).json();
    expect(tags.map(({ value }: Tag) => value)).toEqual(['Aa', 'aa', 'zz', 'ﬀﬀ', '😀😀']);
    expect(await featureTags.read('ordered')).toEqual(tags);
  });

  test('reports all validation errors together', async () => {
    await featureTags.feature('faulty');
    const both = simple('both');
    const input = { addedTags: [both], removedTags: [simple('only'), both] };
    const contradiction = await featureTags.change('faulty', input);
    expect(contradiction.statusCode).toBe(400);
    expect(contradiction.json().details).toMatchObject([{ path: '/body/removedTags/1' }]);
    const unknown = await featureTags.change('faulty', {
      addedTags: ['x1', 'simple', 'x2'].map((type) => ({ type, value: 'value' })),
    });
    expect(unknown.statusCode).toBe(400);
    expect(unknown.json().details).toMatchObject([
      { path: '/body/addedTags/0/type' },
      { path: '/body/addedTags/2/type' },
    ]);
    const many = Array.from({ length: 101 }, (_, n) => simple(`many-${n}`));
    const { details } = (
      await featureTags.change('faulty', { addedTags: many, removedTags: 'none' })
    ).json();
    expect(details).toMatchObject([{ path: '/body/addedTags' }, { path: '/body/removedTags' }]);
    expect(await featureTags.read('faulty')).toEqual([]);
  });
});

describe('removing a tag from a feature', () => {
  test('records the tags the feature had before', async () => {
    const [a, b] = [simple('off a'), simple('b/%?')];
    await featureTags.feature('shorn', { tags: [a, b] });
    const response = await featureTags.remove('shorn', b);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await eventsOf(response)).toEqual([untagged('shorn', b, [b, a])]);
    expect(await featureTags.read('shorn')).toEqual([a]);
    expect((await app.ask('GET /api/admin/tags/simple')).json().tags).toContainEqual(b);
  });

  test('returns 404 for a tag that the feature does not have', async () => {
    await featureTags.feature('bald');
    const response = await featureTags.remove('bald', simple('nosuch'));
    expect(response.statusCode).toBe(404);
    expect(response.json().message).toBe("Tag 'simple:nosuch' not found");
  });

  test('succeeds once for two concurrent requests', async () => {
    const tag = simple('fought over');
    await featureTags.feature('fought', { tags: [tag] });
    const responses = await Promise.all([
      featureTags.remove('fought', tag),
      featureTags.remove('fought', tag),
    ]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
    expect((await Promise.all(responses.map(eventsOf))).flat()).toHaveLength(1);
  });
});

describe('the tags of an unavailable feature', () => {
  test('return 404 if it is unknown, archived or in an invisible project', async () => {
    const tag = simple('kept in archive');
    await featureTags.feature('archived', { tags: [tag] });
    await app.ask('DELETE /api/admin/projects/default/features/archived');
    await featureTags.feature('secret', { project: 'other', tags: [tag] });
    const limited = limitedApp(app, { sees: new Set(['default']) });
    for (const [name, { ask }] of [
      ['nosuch', app],
      ['archived', app],
      ['secret', limited],
    ] as const) {
      for (const response of [
        await ask(`GET ${tagsOf(name)}`),
        await ask(`POST ${tagsOf(name)}`, { payload: simple('any') }),
        await ask(`PUT ${tagsOf(name)}`, { payload: {} }),
        await ask(`DELETE ${tagsOf(name)}/simple/kept%20in%20archive`),
      ]) {
        expect(response.statusCode).toBe(404);
        expect(response.json().message).toBe(`Feature '${name}' not found`);
      }
    }
  });
});

describe('permissions for feature tags', () => {
  test('are not needed for reading; changes need UPDATE_FEATURE in the project of the feature', async () => {
    await featureTags.feature('watched', { project: 'other' });
    const limited = limitedApp(app, {
      may: (permission, scope) => permission === 'none' || scope === 'default',
    });
    expect((await limited.ask(`GET ${tagsOf('watched')}`)).statusCode).toBe(200);
    for (const request of [
      `POST ${tagsOf('watched')}`,
      `PUT ${tagsOf('watched')}`,
      `DELETE ${tagsOf('watched')}/simple/any`,
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
