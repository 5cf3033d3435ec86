import { sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';

/** Which features are exported. Empty: all. */
export interface Selection {
  readonly names?: readonly string[];
  readonly tag?: string;
  readonly project?: string;
}

/** The names of the selected active features of visible projects, by name. */
export async function listSelected(
  db: Db,
  { names, tag, project }: Selection,
  sees: Actor['sees'],
): Promise<string[]> {
  const rows = await db
    .selectFrom('features')
    .where('archived_at', 'is', null)
    .$if(sees !== 'all', (query) => query.where(sql<boolean>`project = any(${[...sees]}::text[])`))
    .$if(names !== undefined, (query) => query.where(sql<boolean>`name = any(${names}::text[])`))
    .$if(project !== undefined, (query) => query.where('project', '=', project ?? ''))
    .$if(tag !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('feature_tags as tag')
            .whereRef('tag.feature_name', '=', 'features.name')
            .where(sql<boolean>`${tag} in (tag.value, tag.type || ':' || tag.value)`)
            .select('tag.value'),
        ),
      ),
    )
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

export const findEnvironment = (db: Db, name: string) =>
  db.selectFrom('environments').where('name', '=', name).select('name').executeTakeFirst();

export const findActiveProject = (db: Db, id: string) =>
  db
    .selectFrom('projects')
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .select('id')
    .executeTakeFirst();
