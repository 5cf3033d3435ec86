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
const star = (id: string, asked = app) => asked.ask(`POST ${projects}/${id}/favorites`);
const unstar = (id: string, asked = app) => asked.ask(`DELETE ${projects}/${id}/favorites`);
const overview = async (id: string, asked = app) =>
  (await asked.ask(`GET ${projects}/${id}/overview`)).json();
const listed = async (id: string, asked = app) =>
  (await asked.ask(`GET ${projects}`))
    .json()
    .projects.find((each: { id: string }) => each.id === id);

describe('2.4: a project says whether the requester marked it as a favourite', () => {
  test('not at first, then it does, in the list and in the overview, and then no more', async () => {
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

  test('marking twice, or taking away something that does not exist, is fine and records nothing', async () => {
    await make(app.ask).project('twice');
    await star('twice');
    const again = await star('twice');
    await unstar('twice');
    for (const response of [again, await unstar('twice')]) {
      expect(response.statusCode).toBe(200);
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
  });

  test('of concurrent marks one is recorded', async () => {
    await make(app.ask).project('raced');
    const responses = await Promise.all(Array.from({ length: 8 }, () => star('raced')));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
    const events = await Promise.all(responses.map((response) => recordedBy(app.db, response)));
    expect(events.flat()).toHaveLength(1);
  });

  test('each has favourites of their own, and needs no permission for them', async () => {
    await make(app.ask).project('mine');
    await star('mine');
    const other = await limitedApp(app, { id: 7, may: (permission) => permission === 'none' });
    expect((await overview('mine', other)).favorite).toBe(false);
    expect((await listed('mine', other)).favorite).toBe(false);
    await star('mine', other);
    await unstar('mine');
    expect((await overview('mine', other)).favorite).toBe(true);
    expect((await overview('mine')).favorite).toBe(false);
  });

  test('does not change the project', async () => {
    await make(app.ask).project('untouched');
    // The activity counts events, of favorites too.
    const { favorite, stats, ...before } = await overview('untouched');
    await star('untouched');
    const { stats: _, ...after } = await overview('untouched');
    expect(after).toEqual({ ...before, favorite: true });
  });

  test('a JSON content type without a body is not a fault', async () => {
    const headers = { 'content-type': 'application/json' };
    const responses = [
      await app.ask(`POST ${projects}/default/favorites`, { headers }),
      await app.ask(`DELETE ${projects}/default/favorites`, { headers }),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });

  test('unknown, invisible and archived projects answer 404', async () => {
    await make(app.ask).project('asleep');
    await app.ask(`POST ${projects}/archive/asleep`);
    const blind = await limitedApp(app, { sees: new Set(['other']) });
    const responses = [
      await star('nosuch'),
      await unstar('nosuch'),
      await star('asleep'),
      await star('default', blind),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
  });

  test('is deleted with the project', async () => {
    await make(app.ask).project('gone');
    await star('gone');
    expect((await app.ask(`DELETE ${projects}/gone`)).statusCode).toBe(200);
    await make(app.ask).project('gone');
    expect((await overview('gone')).favorite).toBe(false);
  });
});
