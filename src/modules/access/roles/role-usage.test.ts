import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { askedDuring } from '../../../../test/support/locks.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';

let on: TestApp;
beforeAll(async () => {
  on = await testApp();
  await make(on.ask).project('shop');
  await make(on.ask).project('secret');
  await on.db.updateTable('projects').set({ mode: 'private' }).where('id', '=', 'secret').execute();
});

const roles = '/api/admin/roles';

const remove = (id: number, app: Pick<TestApp, 'ask'> = on) => app.ask(`DELETE ${roles}/${id}`);
const usageOf = async (id: number, app: Pick<TestApp, 'ask'> = on) =>
  (await app.ask(`GET /api/admin/projects/roles/${id}/access`)).json();

let groups = 0;
async function group(rootRole: number | null, projects: Readonly<Record<string, number>> = {}) {
  groups += 1;
  const now = new Date();
  const { id } = await on.db
    .insertInto('groups')
    .values({
      name: `group ${groups}`,
      description: '',
      mappings_sso: [],
      root_role: rootRole,
      created_at: now,
      created_by: 'test',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [project, role] of Object.entries(projects)) {
    await on.db
      .insertInto('project_group_roles')
      .values({ project, group_id: id, role_id: role, granted_at: now })
      .execute();
  }
  return id;
}

const bury = (id: number) =>
  on.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', id).execute();

test('where a role is used is told project by project, of those that may be seen', async () => {
  const role = await customRole(on, 'custom', []);
  expect(await usageOf(role)).toEqual({ projects: [] });
  await person(on, { roles: { shop: role, secret: role } });
  await person(on, { roles: { shop: role } });
  await person(on, { roles: { shop: role }, kind: 'service account' });
  await bury((await person(on, { roles: { shop: role } })).id);
  await group(null, { shop: role });
  const shop = { project: 'shop', role, userCount: 2, serviceAccountCount: 1, groupCount: 1 };
  expect(await usageOf(role)).toEqual({
    projects: [
      { project: 'secret', role, userCount: 1, serviceAccountCount: 0, groupCount: 0 },
      shop,
    ],
  });
  const reader = await person(on, {
    rootRole: await customRole(on, 'root-custom', [{ name: 'READ_ROLE' }]),
  });
  expect(await usageOf(role, reader)).toEqual({ projects: [shop] });
});

describe('deleting a role', () => {
  test('that nobody has ends it, and tells what it permitted', async () => {
    const permissions = [
      { name: 'CREATE_FEATURE' },
      { name: 'CREATE_FEATURE_STRATEGY', environment: 'production' },
    ];
    const role = await customRole(on, 'custom', permissions);
    const { name } = (await on.ask(`GET ${roles}/${role}`)).json();
    const response = await remove(role);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(on.db, response)).toEqual([
      {
        type: 'role-deleted',
        project: null,
        environment: null,
        data: null,
        preData: { id: role, name, type: 'custom', description: '', permissions },
      },
    ]);
    expect((await remove(role)).statusCode).toBe(404);
  });

  test('that somebody has is refused, and says who has it, but names no unseen project', async () => {
    const inProjects = await customRole(on, 'custom', []);
    await person(on, { roles: { shop: inProjects, secret: inProjects } });
    await group(null, { shop: inProjects });
    const before = await countEvents(on.db);
    const refused = await remove(inProjects);
    expect([refused.statusCode, refused.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(refused.json().message).toContain(
      "by 1 user in the project 'secret', 1 user and 1 group in the project 'shop'",
    );
    const limited = await limitedApp(on, { sees: new Set(['shop']) });
    const told = (await remove(inProjects, limited)).json().message;
    expect(told).toContain("in the project 'shop', projects that you cannot see.");
    expect(told).not.toContain('secret');

    const everywhere = await customRole(on, 'root-custom', []);
    await person(on, { rootRole: everywhere });
    await person(on, { rootRole: everywhere });
    await person(on, { rootRole: everywhere, kind: 'service account' });
    await group(everywhere);
    expect((await remove(everywhere)).json().message).toContain(
      'by 2 users, 1 service account, 1 group.',
    );
    expect(await countEvents(on.db)).toBe(before);
  });

  test('that an invite link gives is refused', async () => {
    const role = await customRole(on, 'root-custom', []);
    const now = new Date();
    await on.db
      .insertInto('invite_links')
      .values({
        secret_hash: Buffer.alloc(32, 1),
        name: 'join',
        role_id: role,
        enabled: true,
        created_at: now,
        created_by: 'test',
        created_by_user_id: 1,
        expires_at: now,
      })
      .execute();
    expect((await remove(role)).json().message).toContain('by 1 invite link.');
  });

  test('that only deleted accounts had is done, and they stay deleted', async () => {
    const rootRole = await customRole(on, 'root-custom', []);
    const own = await customRole(on, 'custom', []);
    const { id } = await person(on, { rootRole, roles: { shop: own } });
    await bury(id);
    expect((await remove(own)).statusCode).toBe(200);
    expect((await remove(rootRole)).statusCode).toBe(200);
    const left = await on.db
      .selectFrom('users')
      .where('id', '=', id)
      .select(['root_role', 'deleted_at'])
      .executeTakeFirstOrThrow();
    expect(left).toMatchObject({ root_role: 3, deleted_at: expect.any(Date) });
  });

  test('waits for whoever is giving it to somebody, and then is refused', async () => {
    const role = await customRole(on, 'custom', []);
    const { id } = await person(on);
    const { waited, response } = await askedDuring(
      on,
      (tx) =>
        tx.db
          .insertInto('project_user_roles')
          .values({ project: 'shop', user_id: id, role_id: role, granted_at: tx.now })
          .execute(),
      () => remove(role),
    );
    expect(waited).toBe(true);
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect((await usageOf(role)).projects).toHaveLength(1);
  });

  test('twice at once ends it once', async () => {
    const role = await customRole(on, 'custom', []);
    const answers = await Promise.all([remove(role), remove(role), remove(role)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404]);
  });
});
