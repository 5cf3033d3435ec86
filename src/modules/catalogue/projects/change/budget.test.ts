import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';

let app: TestApp;
let create: ReturnType<typeof make>;
beforeAll(async () => {
  app = await testApp();
  create = make(app.ask);
});

const projects = '/api/admin/projects';
const settle = (id: string, payload: object) =>
  app.ask(`PUT ${projects}/${id}/settings`, { payload });
const overview = async (id: string) => (await app.ask(`GET ${projects}/${id}/overview`)).json();
const settingsOf = async (id: string) => {
  const { autoStale, budget } = await overview(id);
  return { autoStale, budget };
};

describe('the health budget of a project', () => {
  test('is empty by default', async () => {
    const none = { autoStale: false, budget: { maxStale: null, minHealth: null } };
    expect(await create.project('plain')).toMatchObject(none);
    expect(await settingsOf('plain')).toEqual(none);
  });

  test('can be set when the project is created', async () => {
    const input = { autoStale: true, budget: { maxStale: 3, minHealth: 80 } };
    expect(await create.project('promising', input)).toMatchObject(input);
    expect(await settingsOf('promising')).toEqual(input);
    await create.project('half', { budget: { minHealth: 50 } });
    expect((await settingsOf('half')).budget).toEqual({ maxStale: null, minHealth: 50 });
  });

  test('is updated partially: omitted properties remain and null clears one', async () => {
    await create.project('partly', { autoStale: true, budget: { maxStale: 3, minHealth: 80 } });
    await settle('partly', { budget: { maxStale: 5 } });
    expect(await settingsOf('partly')).toEqual({
      autoStale: true,
      budget: { maxStale: 5, minHealth: 80 },
    });
    const payload = { name: 'partly', autoStale: false, budget: { minHealth: null } };
    await app.ask(`PUT ${projects}/partly`, { payload });
    expect(await settingsOf('partly')).toEqual({
      autoStale: false,
      budget: { maxStale: 5, minHealth: null },
    });
  });

  test('is recorded before and after a change, without unknown properties', async () => {
    await create.project('told', { budget: { maxStale: 1 } });
    const response = await settle('told', { budget: { minHealth: 90, secret: 'no' } });
    const budgets = (await recordedBy(app.db, response)).map(({ type, data, preData }) => ({
      type,
      after: (data as { budget: object }).budget,
      before: (preData as { budget: object }).budget,
    }));
    expect(budgets).toEqual([
      {
        type: 'project-updated',
        after: { maxStale: 1, minHealth: 90 },
        before: { maxStale: 1, minHealth: null },
      },
    ]);
    const same = await settle('told', { autoStale: false, budget: { maxStale: 1 } });
    expect([same.statusCode, await recordedBy(app.db, same)]).toEqual([200, []]);
  });

  test('rejects values out of range and reports every error', async () => {
    const response = await settle('default', {
      autoStale: 'yes',
      budget: { maxStale: -1, minHealth: 101 },
    });
    expect(response.statusCode).toBe(400);
    const paths = response.json().details.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['/body/autoStale', '/body/budget/maxStale', '/body/budget/minHealth']);
    for (const budget of [7, null, { maxStale: 2 ** 31 }, { minHealth: 79.5 }]) {
      expect((await settle('default', { budget })).statusCode).toBe(400);
    }
  });
});
