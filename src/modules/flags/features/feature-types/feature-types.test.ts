import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

interface Type {
  id: string;
  name: string;
  description: string;
  lifetimeDays: number | null;
  usedInFeatures: number;
}

const list = async (): Promise<Type[]> =>
  (await app.ask('GET /api/admin/feature-types')).json().types;
const typeOf = async (id: string) => {
  const { usedInFeatures, ...type } = (await list()).find((each) => each.id === id) ?? {
    usedInFeatures: 0,
  };
  return type;
};
const setLifetime = (id: string, payload: object) =>
  app.ask(`PUT /api/admin/feature-types/${id}/lifetime`, { payload });

describe('an empty installation', () => {
  test('has the five types, with the lifetimes used by the health report', async () => {
    const response = await app.ask('GET /api/admin/feature-types');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      version: 1,
      types: [
        { id: 'release', lifetimeDays: 40 },
        { id: 'experiment', lifetimeDays: 40 },
        { id: 'operational', lifetimeDays: 7 },
        { id: 'kill-switch', lifetimeDays: null },
        { id: 'permission', lifetimeDays: null },
      ],
    });
    for (const { name, description } of await list()) {
      expect(name).not.toBe('');
      expect(description).not.toBe('');
    }
  });

  test('records no events for them, because they are part of the product', async () => {
    const recorded = await app.db
      .selectFrom('events')
      .where('type', '=', 'feature-type-updated')
      .select('id')
      .execute();
    expect(recorded).toEqual([]);
  });
});

describe('the lifetime of a feature type', () => {
  test('can be changed, and both states are recorded', async () => {
    const before = await typeOf('release');
    const response = await setLifetime('release', { lifetimeDays: 60 });
    expect(response.statusCode).toBe(200);
    const after = { ...before, lifetimeDays: 60 };
    expect(response.json()).toEqual(after);
    expect(await typeOf('release')).toEqual(after);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'feature-type-updated',
        project: null,
        environment: null,
        data: after,
        preData: before,
      },
    ]);
  });

  test.each([0, null])('is unlimited if it is %s', async (lifetimeDays) => {
    await setLifetime('experiment', { lifetimeDays: 5 });
    const response = await setLifetime('experiment', { lifetimeDays });
    expect(response.json()).toMatchObject({ id: 'experiment', lifetimeDays: null });
    expect(await typeOf('experiment')).toMatchObject({ lifetimeDays: null });
  });

  test('records nothing if it does not change', async () => {
    await setLifetime('operational', { lifetimeDays: 9 });
    const same = await setLifetime('operational', { lifetimeDays: 9 });
    const none = await setLifetime('permission', { lifetimeDays: 0 });
    expect([same.statusCode, none.statusCode]).toEqual([200, 200]);
    expect(await recordedBy(app.db, same)).toEqual([]);
    expect(await recordedBy(app.db, none)).toEqual([]);
  });

  test.each([
    {},
    { lifetimeDays: -1 },
    { lifetimeDays: 1.5 },
    { lifetimeDays: '7' },
    { lifetimeDays: 100_001 },
  ])('returns 400 for %j', async (payload) => {
    const response = await setLifetime('release', payload);
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toMatchObject([{ path: '/body/lifetimeDays' }]);
  });

  test('returns 404 for an unknown type', async () => {
    const response = await setLifetime('nosuch', { lifetimeDays: 1 });
    expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
  });

  test('can be changed only by administrators and read by all users', async () => {
    const viewer = limitedApp(app, { may: (permission) => permission === 'none' });
    expect((await viewer.ask('GET /api/admin/feature-types')).statusCode).toBe(200);
    const response = await viewer.ask('PUT /api/admin/feature-types/release/lifetime', {
      payload: { lifetimeDays: 1 },
    });
    expect(response.statusCode).toBe(403);
    expect(response.json().message).toContain('ADMIN');
  });
});
