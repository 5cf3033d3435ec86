import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changesNothing } from '../../../../test/mutations/index.ts';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { modules } from '../../../app/modules.ts';
import type { Endpoint } from '../../../platform/contract/endpoint.ts';
import type { Module } from '../../../platform/module.ts';

const path = '/api/admin/maintenance';

let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  app = await testApp();
  other = await appOn(app);
});

const turn = (enabled: boolean) => app.ask(`POST ${path}`, { payload: { enabled } });
const write = (instance: TestApp) =>
  instance.ask('POST /api/admin/tag-types', { payload: { name: `t-${Math.random()}` } });

const until = (instance: TestApp, status: number) =>
  expect.poll(async () => (await write(instance)).statusCode).toBe(status);

afterEach(async () => {
  await turn(false);
});

describe('maintenance mode', () => {
  test('is disabled by default', async () => {
    const response = await app.ask(`GET ${path}`);
    expect([response.statusCode, response.json()]).toEqual([200, { enabled: false }]);
  });

  test('rejects changes at once on this instance and soon on others', async () => {
    expect((await turn(true)).statusCode).toBe(204);
    const refused = await write(app);
    expect([refused.statusCode, refused.json().name]).toEqual([503, 'MaintenanceError']);
    expect(refused.headers['retry-after']).toBe('60');
    await until(other, 503);
    expect((await other.ask(`GET ${path}`)).json()).toEqual({ enabled: true });

    await turn(false);
    expect((await write(app)).statusCode).toBe(201);
    await until(other, 201);
  });

  test('allows reading and validating', async () => {
    await turn(true);
    expect((await app.ask('GET /api/admin/projects')).statusCode).toBe(200);
    expect((await app.ask('GET /api/admin/search/events')).statusCode).toBe(200);
    expect((await app.ask('GET /api/admin/ui-config')).json().maintenanceMode).toBe(true);
    const validated = await app.ask('POST /api/admin/features/validate', {
      payload: { name: 'free', projectId: 'default' },
    });
    expect(validated.statusCode).toBe(200);
  });

  test('is checked after permissions and before the body', async () => {
    await turn(true);
    const malformed = await app.ask('POST /api/admin/tag-types', { payload: { name: 7 } });
    expect(malformed.statusCode).toBe(503);
    const viewer = await person(app);
    const forbidden = await viewer.ask('POST /api/admin/tag-types', { payload: { name: 'x' } });
    expect(forbidden.statusCode).toBe(403);
    const anonymous = await app.ask('POST /api/admin/tag-types', {
      headers: { authorization: 'unknown' },
      payload: { name: 'x' },
    });
    expect(anonymous.statusCode).toBe(401);
  });

  test('allows signing in', async () => {
    const password = 'seven brave lanterns drift';
    const created = await app.ask('POST /api/admin/user-admin', {
      payload: { username: 'latecomer', password, rootRole: 3 },
    });
    expect(created.statusCode).toBe(201);
    await turn(true);
    const signedIn = await app.app.inject({
      method: 'POST',
      url: '/auth/simple/login',
      payload: { username: 'latecomer', password },
    });
    expect(signedIn.statusCode).toBe(200);
    const [session] = signedIn.cookies;
    const read = await app.app.inject({
      url: '/api/admin/user',
      cookies: { [session?.name as string]: session?.value as string },
    });
    expect(read.json().user.username).toBe('latecomer');
  });

  test('records changes, and nothing if it stays the same', async () => {
    const opened = await turn(false);
    expect(await recordedBy(app.db, opened)).toEqual([]);
    const closed = await turn(true);
    expect(await recordedBy(app.db, closed)).toMatchObject([
      {
        type: 'setting-updated',
        project: null,
        data: { id: 'maintenance.mode', enabled: true },
        preData: { enabled: false },
      },
    ]);
    expect(await recordedBy(app.db, await turn(true))).toEqual([]);
  });

  test('requires ADMIN or UPDATE_MAINTENANCE_MODE', async () => {
    const role = await customRole(app, 'root-custom', [{ name: 'UPDATE_MAINTENANCE_MODE' }]);
    const keeper = await person(app, { rootRole: role });
    expect((await keeper.ask(`POST ${path}`, { payload: { enabled: true } })).statusCode).toBe(204);
    expect((await keeper.ask(`GET ${path}`)).json()).toEqual({ enabled: true });
    const editor = await person(app, { rootRole: 2 });
    const before = await countEvents(app.db);
    for (const request of [`GET ${path}`, `POST ${path}`] as const) {
      const refused = await editor.ask(request, { payload: { enabled: false } });
      expect([refused.statusCode, refused.json().message]).toEqual([
        403,
        'You need the ADMIN or UPDATE_MAINTENANCE_MODE permission to do this',
      ]);
    }
    expect(await countEvents(app.db)).toBe(before);
  });

  test('accepts only a boolean', async () => {
    for (const payload of [{}, { enabled: 'true' }, { enabled: null }, []]) {
      expect((await app.ask(`POST ${path}`, { payload })).statusCode).toBe(400);
    }
  });
});

test('requests that change nothing are served during maintenance', () => {
  const endpoints: Endpoint[] = (modules as readonly Module[]).flatMap(({ contract }) =>
    Object.values(contract),
  );
  const saying = endpoints.filter(({ id }) => changesNothing[id]?.startsWith('only says'));
  expect(saying.length).toBeGreaterThan(8);
  const refused = saying.filter(({ duringMaintenance }) => !duringMaintenance);
  expect(refused.map(({ id }) => id)).toEqual([]);
});
