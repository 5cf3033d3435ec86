import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';

/** A locked project keeps its environments. */
export const findMembership = (db: Db, project: string, environment: string) =>
  db
    .selectFrom('project_environments')
    .where('project', '=', project)
    .where('environment', '=', environment)
    .select('environment')
    .executeTakeFirst();

/** Those of the names that features of the project have. */
export async function listNamesIn(
  db: Db,
  project: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('features')
    .where('project', '=', project)
    .where(sql<boolean>`name = any(${names}::text[])`)
    .select('name')
    .execute();
  return rows.map(({ name }) => name);
}

export const countFeatures = (db: Db, project: string) =>
  db
    .selectFrom('features')
    .where('archived_at', 'is', null)
    .select([
      sql<number>`(count(*) filter (where project = ${project}))::int`.as('own'),
      sql<number>`count(*)::int`.as('all'),
    ])
    .executeTakeFirstOrThrow();

export const listFeatureTypeIds = (db: Db) => db.selectFrom('feature_types').select('id').execute();

export const listStrategyTypesNamed = (db: Db, names: readonly string[]) =>
  db
    .selectFrom('strategy_types')
    .where(sql<boolean>`name = any(${names}::text[])`)
    .select(['name', 'built_in as builtIn', 'parameters'])
    .execute();

/** Segments of all projects and of this one. */
export const listUsableSegments = (db: Db, names: readonly string[], project: string) =>
  db
    .selectFrom('segments')
    .where(sql<boolean>`name = any(${names}::text[])`)
    .where(({ or, eb }) => or([eb('project', 'is', null), eb('project', '=', project)]))
    .select(['id', 'name'])
    .execute();
