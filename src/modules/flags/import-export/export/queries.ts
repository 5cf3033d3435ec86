import { sql } from 'kysely';
import type { Actor, Db } from '../../../../platform/db/database.ts';

/** Which features are exported. Empty: all. */
export interface Selection {
  readonly names?: readonly string[];
  readonly tag?: string;
  readonly project?: string;
}

/** The selected living features of visible projects, by name. */
export const listSelected = (db: Db, { names, tag, project }: Selection, sees: Actor['sees']) =>
  db
    .selectFrom('features')
    .where('archived_at', 'is', null)
    .$if(sees !== 'all', (query) => query.where(sql<boolean>`project = any(${[...sees]}::text[])`))
    .$if(names !== undefined, (query) => query.where(sql<boolean>`name = any(${names}::text[])`))
    .$if(project !== undefined, (query) => query.where('project', '=', project ?? ''))
    .$if(tag !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('feature_tags as own')
            .whereRef('own.feature_name', '=', 'features.name')
            .where(sql<boolean>`${tag} in (own.value, own.type || ':' || own.value)`)
            .select('own.value'),
        ),
      ),
    )
    .select([
      'name',
      'type',
      'description',
      'project',
      'stale',
      'impression_data as impressionData',
      'created_at as createdAt',
    ])
    .orderBy('name')
    .execute();

export const findEnvironment = (db: Db, name: string) =>
  db.selectFrom('environments').where('name', '=', name).select('name').executeTakeFirst();

export const findLivingProject = (db: Db, id: string) =>
  db
    .selectFrom('projects')
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .select('id')
    .executeTakeFirst();
