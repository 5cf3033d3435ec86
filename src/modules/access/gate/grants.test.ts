import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { customRole, person } from '../../../../test/support/people.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  for (const mode of ['open', 'protected', 'private']) {
    await app.ask('POST /api/admin/projects', { payload: { id: mode, name: mode, mode } });
  }
});

const features = (project: string) => `/api/admin/projects/${project}/features`;

describe('permissions by role', () => {
  test('an editor can write in open projects, read protected ones, and does not see private ones', async () => {
    const editor = await person(app, { rootRole: 2 });
    const create = (project: string, name: string) =>
      editor.ask(`POST ${features(project)}`, { payload: { name } });
    expect((await create('open', 'by-editor')).statusCode).toBe(201);
    const refused = await create('protected', 'by-editor-2');
    expect([refused.statusCode, refused.json().name]).toEqual([403, 'NoAccessError']);
    expect(refused.json().message).toContain('CREATE_FEATURE');
    expect((await create('private', 'by-editor-3')).statusCode).toBe(404);
    expect((await editor.ask(`GET ${features('protected')}`)).statusCode).toBe(200);
    const { projects } = (await editor.ask('GET /api/admin/projects')).json();
    expect(projects.map(({ id }: { id: string }) => id)).not.toContain('private');
  });

  test('a viewer can change only projects in which they have a role', async () => {
    const viewer = await person(app, { rootRole: 3, roles: { private: 5 } });
    const create = (project: string, name: string) =>
      viewer.ask(`POST ${features(project)}`, { payload: { name } });
    expect((await create('open', 'by-viewer')).statusCode).toBe(403);
    expect((await create('private', 'by-viewer-2')).statusCode).toBe(201);
    const own = await viewer.ask('GET /api/admin/search/events?project=IS:private');
    expect(own.json().total).toBeGreaterThan(0);
    const tagType = await viewer.ask('POST /api/admin/tag-types', { payload: { name: 'mine' } });
    expect(tagType.statusCode).toBe(403);
  });

  test('a permission in one environment does not apply to another, and the error names it', async () => {
    const role = await customRole(app, 'custom', [
      { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' },
      { name: 'CREATE_FEATURE_STRATEGY', environment: 'development' },
    ]);
    const switcher = await person(app, { roles: { protected: role } });
    await app.ask(`POST ${features('protected')}`, { payload: { name: 'switched' } });
    const on_ = (environment: string) =>
      switcher.ask(`POST ${features('protected')}/switched/environments/${environment}/on`);
    expect((await on_('development')).statusCode).toBe(200);
    const refused = await on_('production');
    expect(refused.statusCode).toBe(403);
    expect(refused.json().message).toContain(
      "UPDATE_FEATURE_ENVIRONMENT permission in the environment 'production'",
    );
  });

  test('the project permissions of a root role apply to open projects only', async () => {
    const rootRole = await customRole(app, 'root-custom', [
      { name: 'CREATE_FEATURE' },
      { name: 'UPDATE_PROJECT' },
      { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' },
      { name: 'CREATE_FEATURE_STRATEGY', environment: 'development' },
    ]);
    const holder = await person(app, { rootRole });
    const asked = async (project: string) => {
      const name = `by-root-role-${project}`;
      const created = await holder.ask(`POST ${features(project)}`, { payload: { name } });
      const renamed = await holder.ask(`PUT /api/admin/projects/${project}`, {
        payload: { name: project },
      });
      return [created.statusCode, renamed.statusCode];
    };
    expect(await asked('open')).toEqual([201, 200]);
    expect(await asked('protected')).toEqual([403, 403]);
    expect(await asked('private')).toEqual([404, 404]);
    const switched = (environment: string) =>
      holder.ask(`POST ${features('open')}/by-root-role-open/environments/${environment}/on`);
    expect((await switched('development')).statusCode).toBe(200);
    expect((await switched('production')).statusCode).toBe(403);
    const { permissions } = (await holder.ask('GET /api/admin/user')).json();
    expect(permissions).toContainEqual({ permission: 'UPDATE_PROJECT' });
    expect(permissions).toContainEqual({
      permission: 'UPDATE_FEATURE_ENVIRONMENT',
      environment: 'development',
    });
  });

  test('the root role of a group applies to its members', async () => {
    const member = await person(app);
    const { id } = await app.db
      .insertInto('groups')
      .values({
        name: 'administrators',
        description: '',
        mappings_sso: [],
        root_role: 1,
        created_at: new Date(),
        created_by: 'test',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await app.db
      .insertInto('group_users')
      .values({ group_id: id, user_id: member.id, joined_at: new Date(), added_by: 'test' })
      .execute();
    const made = await member.ask('POST /api/admin/environments', {
      payload: { name: 'by-group', type: 'test' },
    });
    expect(made.statusCode).toBe(201);
  });

  test('an expired token is rejected with 401', async () => {
    const late = await person(app, { rootRole: 1, expiresAt: new Date(Date.now() - 1000) });
    const answer = await late.ask('GET /api/admin/projects');
    expect([answer.statusCode, answer.json().name]).toEqual([401, 'AuthenticationRequired']);
  });
});
