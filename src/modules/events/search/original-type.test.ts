import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { defineEvent, type JsonObject, record } from '../index.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
  const changed = defineEvent<JsonObject>({
    type: 'feature-metadata-updated',
    label: 'Feature metadata updated',
    summary: ({ user }) => user,
  });
  await app.transact(testActor, async (tx) => {
    for (const originalType of ['feature-link-added', 'feature-link-removed', undefined]) {
      const data = originalType === undefined ? { own: true } : { originalType };
      record(tx, changed({ project: 'default', featureName: 'one', data }));
    }
  });
});

const search = (query: string) => app.ask(`GET /api/admin/search/events?${query}`);

const originalTypesOf = async (query: string) => {
  const { events, total } = (await search(query)).json() as {
    events: { data: { originalType?: string } }[];
    total: number;
  };
  expect(total).toBe(events.length);
  return events.map(({ data }) => data.originalType).sort();
};

test('imported events are found by their original type', async () => {
  expect(await originalTypesOf('originalType=IS:feature-link-added')).toEqual([
    'feature-link-added',
  ]);
  expect(
    await originalTypesOf('originalType=IS_ANY_OF:feature-link-added,feature-link-removed'),
  ).toEqual(['feature-link-added', 'feature-link-removed']);
  expect(
    await originalTypesOf('originalType=IS:feature-link-added&type=IS:feature-metadata-updated'),
  ).toEqual(['feature-link-added']);
  expect(
    await originalTypesOf('originalType=IS:feature-link-added&type=IS:project-updated'),
  ).toEqual([]);
  expect(await originalTypesOf('originalType=IS:feature-link-added&feature=IS:one')).toEqual([
    'feature-link-added',
  ]);
  expect(await originalTypesOf('originalType=IS:feature-link-added&query=link-added')).toEqual([
    'feature-link-added',
  ]);
  expect(await originalTypesOf('originalType=IS:nothing')).toEqual([]);
  expect(await originalTypesOf('originalType=IS:')).toEqual([]);
});

test('the error for an unknown type mentions originalType', async () => {
  const response = await search('type=IS:feature-link-added');
  expect(response.statusCode).toBe(400);
  expect(response.json().message).toContain('originalType=IS:');
  expect((await search('originalType=feature-link-added')).statusCode).toBe(400);
});
