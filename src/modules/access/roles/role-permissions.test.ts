import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { distinctPathsOf } from '../../../../test/support/faults.ts';
import { askedDuring } from '../../../../test/support/locks.ts';
import { make } from '../../../../test/support/make.ts';
import { raceRounds } from '../../../../test/support/random-cases.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { permissions as catalogue } from '../gate/index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const roles = '/api/admin/roles';
let roleCount = 0;

interface RoleInput {
  readonly name?: string;
  readonly id?: number;
  readonly environment?: string | null;
}

const create = (type: 'root-custom' | 'custom', permissions: readonly RoleInput[]) => {
  roleCount += 1;
  return app.ask(`POST ${roles}`, { payload: { name: `Role ${roleCount}`, type, permissions } });
};

const heldBy = async (id: number): Promise<RoleInput[]> =>
  (await app.ask(`GET ${roles}/${id}`))
    .json()
    .permissions.map(({ name, environment }: RoleInput) => ({
      name,
      ...(environment !== undefined && { environment }),
    }));

describe('the list of all permissions', () => {
  test('groups them by root, project and environment, each with a unique id', async () => {
    const { version, permissions } = (await app.ask('GET /api/admin/permissions')).json();
    expect(version).toBe(1);
    expect(permissions.root[0]).toEqual({
      id: 1,
      name: 'ADMIN',
      displayName: 'Full access',
      type: 'root',
    });
    expect(permissions.environments.map(({ name }: { name: string }) => name)).toEqual([
      'development',
      'production',
    ]);
    const [development, production] = permissions.environments;
    expect(production.permissions[0]).toEqual({
      ...development.permissions[0],
      environment: 'production',
    });
    expect(development.permissions[0]).toMatchObject({
      name: 'CREATE_FEATURE_STRATEGY',
      type: 'environment',
      environment: 'development',
    });
    const all = [...permissions.root, ...permissions.project, ...development.permissions];
    expect(all.map(({ name }) => name)).toEqual(catalogue.map(({ name }) => name));
    expect(new Set(all.map(({ id }) => id)).size).toBe(catalogue.length);
  });

  test('contains ids that can be used in place of names when creating a role', async () => {
    const { permissions } = (await app.ask('GET /api/admin/permissions')).json();
    const { id, name } = permissions.project[3];
    const strategy = permissions.environments[1].permissions[0];
    const response = await create('custom', [
      { id },
      { id: strategy.id, environment: strategy.environment },
    ]);
    expect(await heldBy(response.json().roles.id)).toEqual([
      { name },
      { name: strategy.name, environment: 'production' },
    ]);
    const named = await create('custom', [{ id: 1, name: 'CREATE_FEATURE' }]);
    expect(await heldBy(named.json().roles.id)).toEqual([{ name: 'CREATE_FEATURE' }]);
  });
});

describe('the permissions of a role', () => {
  test('can be of any type except ADMIN in a root role', async () => {
    const response = await create('root-custom', [
      { name: 'ADMIN' },
      { name: 'CREATE_PROJECT' },
      { name: 'CREATE_FEATURE' },
      { name: 'CREATE_FEATURE_STRATEGY', environment: 'production' },
      { name: 'NO_SUCH' },
      { id: 0 },
      { id: 9999 },
      {},
      { name: 'CREATE_ADDON', environment: 'production' },
    ]);
    expect(response.statusCode).toBe(400);
    expect(distinctPathsOf(response)).toEqual([
      '/body/permissions/0/name',
      '/body/permissions/4/name',
      '/body/permissions/5/id',
      '/body/permissions/6/id',
      '/body/permissions/7',
      '/body/permissions/8/environment',
    ]);
    expect(response.json().details[0].message).toContain('the Admin role');
    const held = [
      { name: 'CREATE_PROJECT' },
      { name: 'UPDATE_PROJECT' },
      { name: 'CREATE_FEATURE_STRATEGY', environment: 'production' },
    ];
    const whole = await create('root-custom', held);
    expect(whole.statusCode, whole.body).toBe(200);
    expect(await heldBy(whole.json().roles.id)).toEqual(held);
  });

  test('can be project permissions and permissions for existing environments in a project role', async () => {
    const before = await countEvents(app.db);
    const wrong = await create('custom', [
      { name: 'CREATE_PROJECT' },
      { id: 1 },
      { name: 'CREATE_FEATURE', environment: 'production' },
    ]);
    expect(distinctPathsOf(wrong)).toEqual([
      '/body/permissions/0/name',
      '/body/permissions/1/id',
      '/body/permissions/2/environment',
    ]);
    const nowhere = await create('custom', [
      { name: 'CREATE_FEATURE_STRATEGY', environment: 'production' },
      { name: 'CREATE_FEATURE_STRATEGY', environment: 'nosuch' },
      { name: 'UPDATE_FEATURE_STRATEGY', environment: '' },
    ]);
    expect(nowhere.statusCode).toBe(400);
    expect(distinctPathsOf(nowhere)).toEqual([
      '/body/permissions/1/environment',
      '/body/permissions/2/environment',
    ]);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('apply to all environments if none is given, and are stored once if repeated', async () => {
    const response = await create('custom', [
      { name: 'UPDATE_FEATURE_STRATEGY', environment: 'production' },
      { name: 'UPDATE_FEATURE_STRATEGY', environment: null },
      { name: 'UPDATE_FEATURE_STRATEGY', environment: 'production' },
      { name: 'UPDATE_FEATURE_STRATEGY' },
      { name: 'CREATE_FEATURE', environment: '' },
      { name: 'CREATE_FEATURE', environment: null },
    ]);
    expect(response.statusCode, response.body).toBe(200);
    expect(await heldBy(response.json().roles.id)).toEqual([
      { name: 'CREATE_FEATURE' },
      { name: 'UPDATE_FEATURE_STRATEGY' },
      { name: 'UPDATE_FEATURE_STRATEGY', environment: 'production' },
    ]);
  });
});

describe('an environment used in roles', () => {
  const permission = (environment: string) => ({ name: 'CREATE_FEATURE_STRATEGY', environment });

  test('removes its permissions from roles when it is deleted, and records that', async () => {
    await make(app.ask).environment('short-lived');
    const response = await create('custom', [permission('short-lived'), permission('production')]);
    const { id } = response.json().roles;
    const untouched = (await create('custom', [permission('production')])).json().roles;
    const deleted = await app.ask('DELETE /api/admin/environments/short-lived');
    expect(deleted.statusCode).toBe(200);
    expect(await heldBy(id)).toEqual([permission('production')]);
    expect(await heldBy(untouched.id)).toEqual([permission('production')]);
    const { roles: role } = response.json();
    expect(await recordedBy(app.db, deleted)).toMatchObject([
      {
        type: 'role-updated',
        environment: null,
        data: { ...role, permissions: [permission('production')] },
        preData: { ...role, permissions: [permission('production'), permission('short-lived')] },
      },
      { type: 'environment-deleted', environment: 'short-lived' },
    ]);
  });

  test('cannot be added to a role while it is being deleted: the request waits and returns 400', async () => {
    await make(app.ask).environment('contested');
    const { id } = (await create('custom', [])).json().roles;
    const { waited, response } = await askedDuring(
      app,
      (tx) =>
        tx.db
          .selectFrom('environments')
          .where('name', '=', 'contested')
          .select('name')
          .forUpdate()
          .execute()
          .then(() => tx.db.deleteFrom('environments').where('name', '=', 'contested').execute()),
      () =>
        app.ask(`PUT ${roles}/${id}`, {
          payload: { name: 'Late', permissions: [permission('contested')] },
        }),
    );
    expect(waited).toBe(true);
    expect(response.statusCode).toBe(400);
    expect(distinctPathsOf(response)).toEqual(['/body/permissions/0/environment']);
    expect(await recordedBy(app.db, response)).toEqual([]);
  });

  test('can be deleted while a role is changed, without a 500', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      const name = `raced-${round}`;
      await make(app.ask).environment(name);
      const { id } = (await create('custom', [permission(name)])).json().roles;
      const [changed, deleted] = await Promise.all([
        app.ask(`PUT ${roles}/${id}`, {
          payload: {
            name: `Raced ${round}`,
            permissions: [permission(name), permission('production')],
          },
        }),
        app.ask(`DELETE /api/admin/environments/${name}`),
      ]);
      expect(deleted.statusCode).toBe(200);
      expect([200, 400]).toContain(changed.statusCode);
      expect(await heldBy(id)).toEqual(
        changed.statusCode === 200 ? [permission('production')] : [],
      );
    }
  });
});
