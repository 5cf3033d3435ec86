import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { askedDuring } from '../../../../test/support/locks.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('shop');
  await make(app.ask).project('secret');
  await app.db
    .updateTable('projects')
    .set({ mode: 'private' })
    .where('id', '=', 'secret')
    .execute();
});

const roles = '/api/admin/roles';

const remove = (id: number, server: Pick<TestApp, 'ask'> = app) =>
  server.ask(`DELETE ${roles}/${id}`);
const usageOf = async (id: number, server: Pick<TestApp, 'ask'> = app) =>
  (await server.ask(`GET /api/admin/projects/roles/${id}/access`)).json();

let groups = 0;
async function group(rootRole: number | null, projects: Readonly<Record<string, number>> = {}) {
  groups += 1;
  const now = new Date();
  const { id } = await app.db
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
    await app.db
      .insertInto('project_group_roles')
      .values({ project, group_id: id, role_id: role, granted_at: now })
      .execute();
  }
  return id;
}

const markDeleted = (id: number) =>
  app.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', id).execute();

test('the usage of a role lists only projects that the user can see', async () => {
  const role = await customRole(app, 'custom', []);
  expect(await usageOf(role)).toEqual({ projects: [] });
  await person(app, { roles: { shop: role, secret: role } });
  await person(app, { roles: { shop: role } });
  await person(app, { roles: { shop: role }, kind: 'service account' });
  await markDeleted((await person(app, { roles: { shop: role } })).id);
  await group(null, { shop: role });
  const shop = { project: 'shop', role, userCount: 2, serviceAccountCount: 1, groupCount: 1 };
  expect(await usageOf(role)).toEqual({
    projects: [
      { project: 'secret', role, userCount: 1, serviceAccountCount: 0, groupCount: 0 },
      shop,
    ],
  });
  const reader = await person(app, {
    rootRole: await customRole(app, 'root-custom', [{ name: 'READ_ROLE' }]),
  });
  expect(await usageOf(role, reader)).toEqual({ projects: [shop] });
});

describe('deleting a role', () => {
  test('records its permissions', async () => {
    const permissions = [
      { name: 'CREATE_FEATURE' },
      { name: 'CREATE_FEATURE_STRATEGY', environment: 'production' },
    ];
    const role = await customRole(app, 'custom', permissions);
    const { name } = (await app.ask(`GET ${roles}/${role}`)).json();
    const response = await remove(role);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toEqual([
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

  test('returns 403 naming who has the role, without projects that the user cannot see', async () => {
    const inProjects = await customRole(app, 'custom', []);
    await person(app, { roles: { shop: inProjects, secret: inProjects } });
    await group(null, { shop: inProjects });
    const before = await countEvents(app.db);
    const refused = await remove(inProjects);
    expect([refused.statusCode, refused.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(refused.json().message).toContain(
      "by 1 user in the project 'secret', 1 user and 1 group in the project 'shop'",
    );
    const limited = limitedApp(app, { sees: new Set(['shop']) });
    const message = (await remove(inProjects, limited)).json().message;
    expect(message).toContain("in the project 'shop', projects that you can't see.");
    expect(message).not.toContain('secret');

    const everywhere = await customRole(app, 'root-custom', []);
    await person(app, { rootRole: everywhere });
    await person(app, { rootRole: everywhere });
    await person(app, { rootRole: everywhere, kind: 'service account' });
    await group(everywhere);
    expect((await remove(everywhere)).json().message).toContain(
      'by 2 users, 1 service account, 1 group.',
    );
    expect(await countEvents(app.db)).toBe(before);
  });

  test('returns 403 if an invite link grants the role', async () => {
    const role = await customRole(app, 'root-custom', []);
    const now = new Date();
    await app.db
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

  test('succeeds if only deleted accounts have the role', async () => {
    const rootRole = await customRole(app, 'root-custom', []);
    const own = await customRole(app, 'custom', []);
    const { id } = await person(app, { rootRole, roles: { shop: own } });
    await markDeleted(id);
    expect((await remove(own)).statusCode).toBe(200);
    expect((await remove(rootRole)).statusCode).toBe(200);
    const left = await app.db
      .selectFrom('users')
      .where('id', '=', id)
      .select(['root_role', 'deleted_at'])
      .executeTakeFirstOrThrow();
    expect(left).toMatchObject({ root_role: 3, deleted_at: expect.any(Date) });
  });

  test('waits for a concurrent grant of the role and then returns 403', async () => {
    const role = await customRole(app, 'custom', []);
    const { id } = await person(app);
    const { waited, response } = await askedDuring(
      app,
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

  test('succeeds once for concurrent requests', async () => {
    const role = await customRole(app, 'custom', []);
    const answers = await Promise.all([remove(role), remove(role), remove(role)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404]);
  });
});
