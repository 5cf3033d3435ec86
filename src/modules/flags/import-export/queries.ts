import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { type ContextField, listContextFields } from '../../catalogue/context-fields/index.ts';
import { listTagTypes, type TagType } from '../../catalogue/tags/index.ts';

const named = (column: string, names: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} = any(${names}::text[])`;

/** The states of those features whose project has the environment. */
export const listStates = (db: Db, names: readonly string[], environment: string) =>
  db
    .selectFrom('features')
    .innerJoin('project_environments as membership', (join) =>
      join
        .onRef('membership.project', '=', 'features.project')
        .on('membership.environment', '=', environment),
    )
    .leftJoin('feature_environments as own', (join) =>
      join
        .onRef('own.feature_name', '=', 'features.name')
        .onRef('own.environment', '=', 'membership.environment'),
    )
    .where(named('features.name', names))
    .select(['features.name as featureName', 'own.variants'])
    .select(sql<boolean>`coalesce(own.enabled, false)`.as('enabled'))
    .orderBy('features.name')
    .execute();

export const listTagsOf = (db: Db, names: readonly string[]) =>
  db
    .selectFrom('feature_tags')
    .where(named('feature_name', names))
    .select(['feature_name as featureName', 'type', 'value'])
    .orderBy('feature_name')
    .orderBy('type')
    .orderBy('value')
    .execute();

export const listDependenciesOf = (db: Db, names: readonly string[]) =>
  db
    .selectFrom('feature_dependencies')
    .where(named('child', names))
    .select(['child', 'parent as feature', 'enabled', 'variants'])
    .orderBy('child')
    .orderBy('parent')
    .execute();

export async function listContextFieldsNamed(
  db: Db,
  names: readonly string[],
): Promise<Omit<ContextField, 'createdAt'>[]> {
  const fields = await listContextFields(db);
  const wanted = new Set(names);
  return fields.filter(({ name }) => wanted.has(name)).map(({ createdAt: _, ...field }) => field);
}

export async function listTagTypesNamed(db: Db, names: readonly string[]): Promise<TagType[]> {
  const types = await listTagTypes(db);
  const wanted = new Set(names);
  return types.filter(({ name }) => wanted.has(name));
}

export const listSegmentsWithIds = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('segments')
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .select(['id', 'name'])
    .orderBy('id')
    .execute();
