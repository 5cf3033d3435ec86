import type { LightMyRequestResponse } from 'fastify';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import {
  created,
  featureTagsOn,
  simple,
  tagged,
  untagged,
} from '../../../../../test/support/feature-tags.ts';
import { make } from '../../../../../test/support/make.ts';
import { recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';
import { transactOn } from '../../../../app/transact.ts';
import type { Database } from '../../../../platform/db/database.ts';
import { addTags, addTagsTo, type Tag } from '../index.ts';
import { changeTagsInBulk } from './service.ts';

let app: TestApp;
let featureTags: ReturnType<typeof featureTagsOn>;
beforeAll(async () => {
  app = await testApp();
  featureTags = featureTagsOn(app);
  await make(app.ask).project('other');
});

const eventsOf = (response: LightMyRequestResponse) => recordedAboutFeatures(app.db, response);

describe('changing tags in bulk', () => {
  test('changes and records only features that need it, ordered by name', async () => {
    const [old, kept, fresh] = ['bulk old', 'bulk kept', 'bulk new'].map(simple) as [Tag, Tag, Tag];
    await featureTags.feature('bulk-2', { tags: [old, kept] });
    await featureTags.feature('bulk-1', { tags: [kept] });
    await featureTags.feature('bulk-3', { tags: [fresh] });
    const response = await featureTags.bulk(['bulk-2', 'bulk-1', 'bulk-3', 'bulk-1'], {
      addedTags: [fresh],
      removedTags: [old],
    });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await eventsOf(response)).toEqual([
      tagged('bulk-1', fresh, [kept, fresh]),
      tagged('bulk-2', fresh, [kept, fresh, old]),
      untagged('bulk-2', old, [kept, fresh, old]),
    ]);
    expect(await featureTags.read('bulk-1')).toEqual([kept, fresh]);
    expect(await featureTags.read('bulk-2')).toEqual([kept, fresh]);
    expect(await featureTags.read('bulk-3')).toEqual([fresh]);
    const again = await featureTags.bulk(['bulk-1', 'bulk-2'], {
      addedTags: [fresh],
      removedTags: [old],
    });
    expect(again.statusCode).toBe(200);
    expect(await eventsOf(again)).toEqual([]);
  });

  test('creates a new tag once, before it is added to features', async () => {
    const tag = simple('bulk created');
    await featureTags.feature('both-1');
    await featureTags.feature('both-2');
    const response = await featureTags.bulk(['both-1', 'both-2'], {
      addedTags: [tag],
      removedTags: [],
    });
    expect(await eventsOf(response)).toEqual([
      created(tag),
      tagged('both-1', tag, [tag]),
      tagged('both-2', tag, [tag]),
    ]);
  });

  test('runs the same number of statements for many features as for one', async () => {
    const names = Array.from({ length: 5 }, (_, n) => `many-${n}`);
    for (const name of names) await featureTags.feature(name);
    let statements = 0;
    const counted = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ ...app.connection, max: 1 }) }),
      log: () => {
        statements += 1;
      },
    });
    const countOf = async (features: string[], value: string) => {
      const before = statements;
      const input = { addedTags: [simple(value)], removedTags: [simple('never there')] };
      await transactOn(counted)(testActor, (tx) =>
        changeTagsInBulk(tx, 'default', features, input),
      );
      return statements - before;
    };
    expect(await countOf(names, 'to all')).toBe(await countOf(['many-0'], 'to one'));
    await counted.destroy();
    expect(await featureTags.read('many-4')).toEqual([simple('to all')]);
  });

  test('changes nothing if features or tag types do not exist, and reports all of them', async () => {
    await featureTags.feature('there');
    await featureTags.feature('gone');
    await app.ask('DELETE /api/admin/projects/default/features/gone');
    await featureTags.feature('abroad', { project: 'other' });
    const response = await featureTags.bulk(['nosuch', 'there', 'gone', 'abroad'], {
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
    expect(await featureTags.read('there')).toEqual([]);
  });

  test('rejects contradictory and oversized requests', async () => {
    const tag = simple('both ways');
    const contradiction = await featureTags.bulk(['any'], { addedTags: [tag], removedTags: [tag] });
    expect(contradiction.json().details).toMatchObject([{ path: '/body/tags/removedTags/0' }]);
    const names = Array.from({ length: 1000 }, (_, n) => `f-${n}`);
    const six = Array.from({ length: 6 }, (_, n) => simple(`t-${n}`));
    const large = await featureTags.bulk(names, { addedTags: six });
    expect(large.statusCode).toBe(400);
    expect(large.json().details).toMatchObject([
      { path: '/body', message: expect.stringContaining('6000 changes') },
    ]);
    for (const [input, path] of [
      [{ tags: {} }, '/body/features'],
      [{ features: ['any'] }, '/body/tags'],
      [{ features: Array(1001).fill('any'), tags: {} }, '/body/features'],
    ] as const) {
      const response = await app.ask('PUT /api/admin/projects/default/tags', { payload: input });
      expect(response.statusCode).toBe(400);
      expect(response.json().details).toMatchObject([{ path }]);
    }
  });

  test('succeeds for two concurrent requests with opposite orders', async () => {
    const names = ['cross-1', 'cross-2', 'cross-3'];
    for (const name of names) await featureTags.feature(name);
    const [a, b] = [simple('cross a'), simple('cross b')];
    const responses = await Promise.all([
      featureTags.bulk(names, { addedTags: [a, b] }),
      featureTags.bulk([...names].reverse(), { addedTags: [b, a] }),
    ]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await Promise.all(responses.map(eventsOf))).flat()).toHaveLength(2 + 6);
  });

  test('returns 404 for an unknown project', async () => {
    expect((await featureTags.bulk([], {}, 'nosuch')).statusCode).toBe(404);
  });
});

test('adding tags to a new feature adds each once and returns all', async () => {
  await featureTags.feature('made');
  const [a, b] = [simple('made a'), simple('made b')];
  const now = await app.transact(testActor, (tx) =>
    addTags(tx, { name: 'made', project: 'default', tags: [] }, [b, a, b]),
  );
  expect(now).toEqual([a, b]);
  const none = await app.transact(testActor, (tx) =>
    addTags(tx, { name: 'made', project: 'default', tags: [a, b] }, [a]),
  );
  expect(none).toEqual([a, b]);
  expect(await featureTags.read('made')).toEqual([a, b]);
});

test('an import adds tags to several features', async () => {
  const tags = ['import-0', 'import-1', 'import-2', 'import-3'].map(simple);
  await featureTags.feature('imported');
  await featureTags.feature('imported-too');
  const inputs = ['imported', 'imported-too'].map((name) => ({
    feature: { name, project: 'default', tags: [] },
    tags: name === 'imported' ? tags.slice(0, 3) : tags.slice(2, 4),
  }));
  const now = await app.transact(testActor, (tx) => addTagsTo(tx, inputs));
  expect(now).toEqual([tags.slice(0, 3), tags.slice(2, 4)]);
  expect(await featureTags.read('imported-too')).toEqual(tags.slice(2, 4));
});
