import type { TestApp } from './app.ts';

interface GroupInput {
  readonly users?: readonly number[];
  readonly rootRole?: number;
  readonly mappingsSSO?: readonly string[];
  /** The role of the group by project. */
  readonly roles?: Readonly<Record<string, number>>;
}

let made = 0;

/** A group with these users and roles. Project roles are inserted without the API. */
export async function group(
  app: TestApp,
  { users = [], roles = {}, ...input }: GroupInput = {},
): Promise<{ id: number; name: string; path: `/api/admin/groups/${number}` }> {
  made += 1;
  const name = `group ${String(made).padStart(6, '0')}`;
  const response = await app.ask('POST /api/admin/groups', {
    payload: { name, ...input, users: users.map((id) => ({ user: { id } })) },
  });
  if (response.statusCode !== 201) throw new Error(`${response.statusCode}: ${response.body}`);
  const { id } = response.json() as { id: number };
  for (const [project, role] of Object.entries(roles)) {
    await app.db
      .insertInto('project_group_roles')
      .values({ project, group_id: id, role_id: role, granted_at: new Date() })
      .execute();
  }
  return { id, name, path: `/api/admin/groups/${id}` };
}
