import type { Kysely } from 'kysely';
import type { Database } from '../../src/platform/db/database.ts';
import type { TestApp } from './app.ts';

/** Requests for projects. */
export const projectsOn = ({ ask }: Pick<TestApp, 'ask'>) => ({
  environments: async (project: string): Promise<string[]> => {
    const answer = (await ask(`GET /api/admin/environments/project/${project}`)).json();
    return answer.environments.map(({ name }: { name: string }) => name);
  },

  updatedAt: async (project: string): Promise<string> =>
    (await ask(`GET /api/admin/projects/${project}/overview`)).json().updatedAt,
});

/** Inserts projects without events, for tests that record events in them. */
export async function addProjects(db: Kysely<Database>, ...ids: string[]): Promise<void> {
  const now = new Date();
  const rows = ids.map((id) => ({
    id,
    name: id,
    description: '',
    mode: 'open' as const,
    default_stickiness: 'default',
    created_at: now,
    updated_at: now,
  }));
  await db.insertInto('projects').values(rows).execute();
}
