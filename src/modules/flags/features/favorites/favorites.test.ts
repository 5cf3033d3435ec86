import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const features = '/api/admin/projects/default/features';
const star = (name: string, client = app) => client.ask(`POST ${features}/${name}/favorites`);
const unstar = (name: string, client = app) => client.ask(`DELETE ${features}/${name}/favorites`);
const isFavorite = async (name: string, client = app) =>
  (await client.ask(`GET ${features}/${name}`)).json().favorite;

describe('2.6: the favorites of a user among features', () => {
  test('appear after adding and disappear after removing', async () => {
    await make(app.ask).feature('starred');
    expect(await isFavorite('starred')).toBe(false);
    const response = await star('starred');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await isFavorite('starred')).toBe(true);
    const removed = await unstar('starred');
    expect([removed.statusCode, removed.body]).toEqual([200, '']);
    expect(await isFavorite('starred')).toBe(false);
    const event = { project: 'default', environment: null, data: { feature: 'starred' } };
    expect(await recordedBy(app.db, response)).toEqual([
      { type: 'feature-favorited', ...event, preData: null },
    ]);
    expect(await recordedBy(app.db, removed)).toEqual([
      { type: 'feature-unfavorited', ...event, preData: null },
    ]);
    const named = await app.db
      .selectFrom('events')
      .where('type', 'in', ['feature-favorited', 'feature-unfavorited'])
      .select('feature_name as featureName')
      .execute();
    expect(named).toEqual([{ featureName: 'starred' }, { featureName: 'starred' }]);
  });

  test('can be added or removed twice, which records nothing', async () => {
    await make(app.ask).feature('twice');
    await star('twice');
    const again = await star('twice');
    await unstar('twice');
    for (const response of [again, await unstar('twice')]) {
      expect(response.statusCode).toBe(200);
      expect(await recordedBy(app.db, response)).toEqual([]);
    }
  });

  test('are recorded once when concurrent requests add the same feature', async () => {
    await make(app.ask).feature('raced');
    const responses = await Promise.all(Array.from({ length: 8 }, () => star('raced')));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
    const events = await Promise.all(responses.map((response) => recordedBy(app.db, response)));
    expect(events.flat()).toHaveLength(1);
  });

  test('are separate for each user and need no permission', async () => {
    await make(app.ask).feature('mine');
    await star('mine');
    const other = limitedApp(app, { id: 7, may: (permission) => permission === 'none' });
    expect(await isFavorite('mine', other)).toBe(false);
    expect((await star('mine', other)).statusCode).toBe(200);
    await unstar('mine');
    expect(await isFavorite('mine', other)).toBe(true);
    expect(await isFavorite('mine')).toBe(false);
  });

  test('accept requests with a JSON content type and no body', async () => {
    await make(app.ask).feature('bodyless');
    const headers = { 'content-type': 'application/json' };
    const responses = [
      await app.ask(`POST ${features}/bodyless/favorites`, { headers }),
      await app.ask(`DELETE ${features}/bodyless/favorites`, { headers }),
      await app.ask(`POST ${features}/bodyless/lifecycle/uncomplete`, { headers }),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  });

  test('return 404 for features that are unknown, archived, invisible or in another project', async () => {
    await make(app.ask).feature('archived');
    await app.ask(`DELETE ${features}/archived`);
    await make(app.ask).project('other');
    await make(app.ask).feature('foreign', { project: 'other' });
    await make(app.ask).feature('unseen');
    const blind = limitedApp(app, { sees: new Set(['other']) });
    const responses = [
      await star('nosuch'),
      await star('foreign'),
      await star('archived'),
      await star('unseen', blind),
      await unstar('nosuch'),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(404));
  });
});
