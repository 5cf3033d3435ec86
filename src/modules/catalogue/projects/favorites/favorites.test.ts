import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const projects = '/api/admin/projects';
const star = (id: string, client = app) => client.ask(`POST ${projects}/${id}/favorites`);
const unstar = (id: string, client = app) => client.ask(`DELETE ${projects}/${id}/favorites`);
const overview = async (id: string, client = app) =>
  (await client.ask(`GET ${projects}/${id}/overview`)).json();
const listed = async (id: string, client = app) =>
  (await client.ask(`GET ${projects}`))
    .json()
    .projects.find((each: { id: string }) => each.id === id);

describe('2.4: the favorites of a user among projects', () => {
  test('appear in the list and in the overview after adding, until they are removed', async () => {
    await make(app.ask).project('starred');
    expect([(await overview('starred')).favorite, (await listed('starred')).favorite]).toEqual([
      false,
      false,
    ]);
    const response = await star('starred');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect([(await overview('starred')).favorite, (await listed('starred')).favorite]).toEqual([
      true,
      true,
    ]);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'project-favorited',
        project: 'starred',
        environment: null,
        data: { project: 'starred' },
        preData: null,
      },
    ]);
    const removed = await unstar('starred');
    expect([removed.statusCode, removed.body]).toEqual([200, '']);
    expect([(await overview('starred')).favorite, (await listed('starred')).favorite]).toEqual([
      false,
      false,
    ]);
    expect(await recordedBy(app.db, removed)).toEqual([
      {
        type: 'project-unfavorited',
        project: 'starred',
        environment: null,
        data: { project: 'starred' },
        preData: null,
      },
    ]);
  });

  test('can be added or removed twice, which records nothing', async () => {
    await make(app.ask).project('twice');
    await star('twice');
    const again = await star('twice');
    await unstar('twice');
    for (const response of [again, await unstar('twice')]) {
      expect(response.statusCode).toBe(200);
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
  });

  test('are recorded once when concurrent requests add the same project', async () => {
    await make(app.ask).project('raced');
    const responses = await Promise.all(Array.from({ length: 8 }, () => star('raced')));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
    const events = await Promise.all(responses.map((response) => recordedBy(app.db, response)));
    expect(events.flat()).toHaveLength(1);
  });

  test('are separate for each user and need no permission', async () => {
    await make(app.ask).project('mine');
    await star('mine');
    const other = limitedApp(app, { id: 7, may: (permission) => permission === 'none' });
    expect((await overview('mine', other)).favorite).toBe(false);
    expect((await listed('mine', other)).favorite).toBe(false);
    await star('mine', other);
    await unstar('mine');
    expect((await overview('mine', other)).favorite).toBe(true);
    expect((await overview('mine')).favorite).toBe(false);
  });

  test('do not change the project', async () => {
    await make(app.ask).project('untouched');
    // The activity counts all events, also those of favorites.
    const { favorite, stats, ...before } = await overview('untouched');
    await star('untouched');
    const { stats: _, ...after } = await overview('untouched');
    expect(after).toEqual({ ...before, favorite: true });
  });

  test('accept requests with a JSON content type and no body', async () => {
    const headers = { 'content-type': 'application/json' };
    const responses = [
      await app.ask(`POST ${projects}/default/favorites`, { headers }),
      await app.ask(`DELETE ${projects}/default/favorites`, { headers }),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });

  test('return 404 for unknown, invisible and archived projects', async () => {
    await make(app.ask).project('asleep');
    await app.ask(`POST ${projects}/archive/asleep`);
    const blind = limitedApp(app, { sees: new Set(['other']) });
    const responses = [
      await star('nosuch'),
      await unstar('nosuch'),
      await star('asleep'),
      await star('default', blind),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
  });

  test('are deleted with the project', async () => {
    await make(app.ask).project('gone');
    await star('gone');
    expect((await app.ask(`DELETE ${projects}/gone`)).statusCode).toBe(200);
    await make(app.ask).project('gone');
    expect((await overview('gone')).favorite).toBe(false);
  });
});
