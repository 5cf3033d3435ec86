import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { distinctPathsOf } from '../../../../test/support/faults.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const roles = '/api/admin/roles';

const create = (payload: object) => app.ask(`POST ${roles}`, { payload });
const update = (id: number, payload: object) => app.ask(`PUT ${roles}/${id}`, { payload });
const read = async (id: number) => (await app.ask(`GET ${roles}/${id}`)).json();
const created = async (payload: object): Promise<{ id: number; name: string }> => {
  const response = await create(payload);
  expect(response.statusCode, response.body).toBe(200);
  return response.json().roles;
};
const heldBy = async (id: number) =>
  (await read(id)).permissions.map(
    ({ name, environment }: { name: string; environment?: string }) =>
      environment === undefined ? name : `${name} in ${environment}`,
  );

describe('a new installation', () => {
  test('has the five built-in roles with fixed ids', async () => {
    const { version, roles: all } = (await app.ask(`GET ${roles}`)).json();
    expect(version).toBe(1);
    expect(all.map(({ id, type, name }: Record<string, unknown>) => [id, type, name])).toEqual([
      [1, 'root', 'Admin'],
      [2, 'root', 'Editor'],
      [3, 'root', 'Viewer'],
      [4, 'project', 'Owner'],
      [5, 'project', 'Member'],
    ]);
    expect(all[0]).toEqual({
      id: 1,
      type: 'root',
      name: 'Admin',
      description: expect.stringMatching(/\w/),
    });
  });

  test('returns the permissions of each built-in role', async () => {
    expect(await heldBy(1)).toEqual(['ADMIN']);
    expect(await heldBy(2)).toContain('CREATE_PROJECT');
    expect(await heldBy(3)).toEqual([]);
    expect(await heldBy(4)).toEqual(
      expect.arrayContaining(['UPDATE_PROJECT', 'CREATE_FEATURE_STRATEGY']),
    );
    expect(await heldBy(5)).not.toContain('UPDATE_PROJECT');
  });
});

describe('creating a role', () => {
  test('returns the role without permissions; reading it returns them', async () => {
    const response = await create({
      name: 'Releaser',
      description: 'May release',
      type: 'custom',
      permissions: [
        { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'production' },
        { name: 'CREATE_FEATURE' },
      ],
      unknown: 1,
    });
    expect(response.statusCode).toBe(200);
    const role = {
      id: expect.any(Number),
      type: 'custom',
      name: 'Releaser',
      description: 'May release',
    };
    expect(response.json()).toEqual({ version: 1, roles: role });
    const { id } = response.json().roles;
    expect(id).toBeGreaterThan(5);
    expect(await read(id)).toEqual({
      ...role,
      id,
      permissions: [
        {
          id: expect.any(Number),
          name: 'CREATE_FEATURE',
          displayName: expect.stringMatching(/\w/),
          type: 'project',
        },
        {
          id: expect.any(Number),
          name: 'UPDATE_FEATURE_ENVIRONMENT',
          displayName: expect.stringMatching(/\w/),
          type: 'environment',
          environment: 'production',
        },
      ],
    });
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'role-created',
        project: null,
        environment: null,
        data: {
          ...role,
          id,
          permissions: [
            { name: 'CREATE_FEATURE' },
            { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'production' },
          ],
        },
        preData: null,
      },
    ]);
  });

  test('requires only a name, and defaults to a project role without permissions', async () => {
    const role = await created({ name: 'Bare', description: null });
    expect(role).toEqual({ id: role.id, type: 'custom', name: 'Bare', description: '' });
    expect(await heldBy(role.id)).toEqual([]);
  });

  test('returns 409 for a taken name, also when ten requests race for it', async () => {
    const taken = await create({ name: 'Admin', type: 'root-custom', permissions: [] });
    expect([taken.statusCode, taken.json().name]).toEqual([409, 'NameExistsError']);
    const before = await countEvents(app.db);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create({ name: 'Raced', type: 'custom' })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      200,
      ...Array<number>(9).fill(409),
    ]);
    expect(await countEvents(app.db)).toBe(before + 1);
  });

  test('reports all validation errors of a body together', async () => {
    const response = await create({
      name: ' ',
      description: 'd'.repeat(1001),
      type: 'root',
      permissions: [{ name: 7 }, { id: 'one' }, { name: 'CREATE_FEATURE', environment: 1 }],
    });
    expect(response.statusCode).toBe(400);
    expect(distinctPathsOf(response).sort()).toEqual([
      '/body/description',
      '/body/name',
      '/body/permissions/0/name',
      '/body/permissions/1/id',
      '/body/permissions/2/environment',
      '/body/type',
    ]);
    expect(distinctPathsOf(await create({ name: 'n'.repeat(101) }))).toEqual(['/body/name']);
    const permissions = Array.from({ length: 2001 }, () => ({ name: 'CREATE_FEATURE' }));
    expect(distinctPathsOf(await create({ name: 'Endless', permissions }))).toEqual([
      '/body/permissions',
    ]);
  });
});

describe('validating the name of a role', () => {
  const validate = (payload: object) => app.ask(`POST ${roles}/validate`, { payload });

  test('returns 200 for a free name, 409 for a taken one and 400 for an empty or missing one', async () => {
    const free = await validate({ name: 'Free', permissions: [] });
    expect([free.statusCode, free.body]).toEqual([200, '']);
    expect((await validate({ name: 'Viewer' })).statusCode).toBe(409);
    expect((await validate({ name: '' })).statusCode).toBe(400);
    expect((await validate({})).statusCode).toBe(400);
  });
});

describe('changing a role', () => {
  test('keeps omitted properties and replaces permissions completely', async () => {
    const before = await created({
      name: 'Changing',
      description: 'Old',
      permissions: [{ name: 'CREATE_FEATURE' }],
    });
    const renamed = await update(before.id, { name: 'Changed' });
    expect(renamed.json()).toEqual({ version: 1, roles: { ...before, name: 'Changed' } });
    expect(await heldBy(before.id)).toEqual(['CREATE_FEATURE']);

    const after = { ...before, name: 'Changed', description: '' };
    const response = await update(before.id, {
      name: 'Changed',
      description: null,
      type: 'custom',
      permissions: [{ name: 'UPDATE_FEATURE' }],
    });
    expect(response.json()).toEqual({ version: 1, roles: after });
    expect(await heldBy(before.id)).toEqual(['UPDATE_FEATURE']);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'role-updated',
        project: null,
        environment: null,
        data: { ...after, permissions: [{ name: 'UPDATE_FEATURE' }] },
        preData: { ...before, name: 'Changed', permissions: [{ name: 'CREATE_FEATURE' }] },
      },
    ]);
    expect((await update(before.id, { name: 'Changed', permissions: [] })).statusCode).toBe(200);
    expect(await heldBy(before.id)).toEqual([]);
  });

  test('records nothing if the permissions differ only in order and repetitions', async () => {
    const permissions = [{ name: 'CREATE_FEATURE' }, { name: 'UPDATE_FEATURE' }];
    const { id } = await created({ name: 'Same', permissions });
    const again = [...permissions, ...permissions].reverse();
    const response = await update(id, { name: 'Same', permissions: again });
    expect(response.statusCode).toBe(200);
    expect(await recordedBy(app.db, response)).toEqual([]);
  });

  test('takes effect with the next request of users who have it', async () => {
    const { id } = await created({
      name: 'Reader of roles',
      type: 'root-custom',
      permissions: [{ name: 'READ_ROLE' }],
    });
    const reader = await person(app, { rootRole: id });
    expect((await reader.ask(`GET ${roles}`)).statusCode).toBe(200);
    await update(id, { name: 'Reader of nothing', permissions: [] });
    const refused = await reader.ask(`GET ${roles}`);
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'You need the READ_ROLE permission to do this',
    ]);
    await update(id, { name: 'Reader again', permissions: [{ name: 'READ_ROLE' }] });
    expect((await reader.ask(`GET ${roles}`)).statusCode).toBe(200);
  });

  test('rejects another type and a taken name', async () => {
    const { id } = await created({ name: 'Typed', permissions: [{ name: 'CREATE_FEATURE' }] });
    const before = await countEvents(app.db);
    const other = await update(id, {
      name: 'Typed',
      type: 'root-custom',
      permissions: [{ name: 'CREATE_PROJECT' }],
    });
    expect(other.statusCode).toBe(400);
    expect(distinctPathsOf(other)).toEqual(['/body/type', '/body/permissions/0/name']);
    const taken = await update(id, { name: 'Owner' });
    expect([taken.statusCode, taken.json().name]).toEqual([409, 'NameExistsError']);
    expect(await heldBy(id)).toEqual(['CREATE_FEATURE']);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('applies concurrent changes one after the other', async () => {
    const { id } = await created({ name: 'Contested' });
    const inputs = ['CREATE_FEATURE', 'UPDATE_FEATURE', 'DELETE_FEATURE'].map((name) => [{ name }]);
    const answers = await Promise.all(
      inputs.map((permissions) => update(id, { name: 'Contested', permissions })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const held = (await heldBy(id)).map((name: string) => [{ name }]);
    expect(held).toHaveLength(1);
    expect(inputs).toContainEqual(held[0]);
  });

  test.each([1, 2, 3, 4, 5])(
    'returns 403 for the built-in role %i, as does deleting it',
    async (id) => {
      const before = await countEvents(app.db);
      for (const response of [
        await update(id, { name: 'Other', permissions: [] }),
        await app.ask(`DELETE ${roles}/${id}`),
      ]) {
        expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
      }
      expect(await countEvents(app.db)).toBe(before);
    },
  );
});

test.each(['0', '99999', '99999999999999999999', 'nosuch', '-1', '1.5'])(
  'requests for the unknown role %s return 404',
  async (id) => {
    const payload = { name: 'New' };
    for (const response of [
      await app.ask(`GET ${roles}/${id}`),
      await app.ask(`PUT ${roles}/${id}`, { payload }),
      await app.ask(`DELETE ${roles}/${id}`),
      await app.ask(`GET /api/admin/projects/roles/${id}/access`),
    ]) {
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    }
  },
);

test('READ_ROLE allows reading roles but not changing them', async () => {
  const rootRole = await customRole(app, 'root-custom', [{ name: 'READ_ROLE' }]);
  const reader = await person(app, { rootRole });
  const viewer = await person(app);
  const payload = { name: 'New', type: 'custom' };
  for (const path of [roles, `${roles}/1`, '/api/admin/projects/roles/4/access']) {
    expect((await reader.ask(`GET ${path as '/'}`)).statusCode).toBe(200);
    expect((await viewer.ask(`GET ${path as '/'}`)).json().message).toContain('READ_ROLE');
  }
  for (const response of [
    await reader.ask(`POST ${roles}`, { payload }),
    await reader.ask(`PUT ${roles}/${rootRole}`, { payload }),
    await reader.ask(`DELETE ${roles}/${rootRole}`),
    await reader.ask(`POST ${roles}/validate`, { payload }),
    await reader.ask('GET /api/admin/permissions'),
  ]) {
    expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
    expect(response.json().message).toContain('ADMIN');
  }
});
