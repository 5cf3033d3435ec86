import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { erasedName } from '../../events/index.ts';
import type { LockedFeature } from './lock.ts';
import type { SetOwner } from './owner/owner-schema.ts';

export interface TakenName {
  readonly name: string;
  readonly project: string;
  readonly archived: boolean;
}

export const takenNames = (names: readonly string[]) => sql`(
  select coalesce(json_agg(json_build_object('name', f.name, 'project', f.project, 'archived', f.archived_at is not null) order by f.name), '[]')
  from features f where f.name = any(${names}::text[]))`;

/** The minimum size of a row. With it, the size of the table gives the maximum number of rows. */
const leastRowBytes = 64;

/** Active features, or 0 where there must be fewer than `from`: to count them takes longer than to create one. */
export const countAll = (from: number) => sql`
  case when pg_relation_size('features') / ${leastRowBytes} < ${from}::bigint then 0
    else (select count(*)::int from features f where f.archived_at is null) end`;

export async function listTaken(db: Db, names: readonly string[]): Promise<readonly TakenName[]> {
  const { rows } = await sql<{ taken: TakenName[] }>`select ${takenNames(names)} as taken`.execute(
    db,
  );
  return rows[0]?.taken ?? [];
}

export async function isFeatureType(db: Db, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('feature_types')
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst();
  return found !== undefined;
}

/** Counts the active features of a project, and of all projects as `countAll` does. */
export async function countActive(
  db: Db,
  project: string,
  from: number,
): Promise<{ own: number; all: number }> {
  const { rows } = await sql<{ own: number; all: number }>`
    select count(*)::int as own, ${countAll(from)} as all
    from features where project = ${project} and archived_at is null`.execute(db);
  return rows[0] ?? { own: 0, all: 0 };
}

const ownerColumns = (owner: SetOwner | null) => ({
  owner_user_id: owner?.type === 'user' ? owner.id : null,
  owner_group_id: owner?.type === 'group' ? owner.id : null,
});

export const updateFeature = (tx: Tx, feature: LockedFeature) =>
  tx.db
    .updateTable('features')
    .set({
      description: feature.description,
      type: feature.type,
      impression_data: feature.impressionData,
      stale: feature.stale,
      ...ownerColumns(feature.owner),
      expires_at: feature.expiresAt,
    })
    .where('name', '=', feature.name)
    .execute();

export const updateStale = (tx: Tx, names: readonly string[], stale: boolean) =>
  tx.db
    .updateTable('features')
    .set({ stale })
    .where(sql<boolean>`name = any(${names}::text[])`)
    .execute();

export const updateOwner = (tx: Tx, names: readonly string[], owner: SetOwner | null) =>
  tx.db
    .updateTable('features')
    .set(ownerColumns(owner))
    .where(sql<boolean>`name = any(${names}::text[])`)
    .execute();

/** Also those of a user who has been deleted, archived ones, and those of all projects. */
export async function listNamesOwnedBy(db: Db, { type, id }: SetOwner): Promise<string[]> {
  const rows = await db
    .selectFrom('features')
    .where(type === 'user' ? 'owner_user_id' : 'owner_group_id', '=', id)
    .select('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Foreign keys delete everything that belongs to a feature. */
export const deleteFeatures = (tx: Tx, names: readonly string[]) =>
  tx.db.deleteFrom('features').where(sql<boolean>`name = any(${names}::text[])`).execute();

/** Active children that are not in the list themselves. */
export const listOutsideChildren = (db: Db, names: readonly string[]) =>
  db
    .selectFrom('feature_dependencies as d')
    .innerJoin('features as child', 'child.name', 'd.child')
    .where(sql<boolean>`d.parent = any(${names}::text[])`)
    .where(sql<boolean>`d.child <> all(${names}::text[])`)
    .where('child.archived_at', 'is', null)
    .select(['d.parent', 'd.child'])
    .orderBy('d.parent')
    .orderBy('d.child')
    .execute();

/** Those of the names that active features of the project have. */
export async function listActive(
  db: Db,
  project: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('features')
    .where(sql<boolean>`name = any(${names}::text[])`)
    .where('project', '=', project)
    .where('archived_at', 'is', null)
    .select('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** For requests that name the feature alone. */
export async function findProjectOf(db: Db, name: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('features')
    .where('name', '=', name)
    .select('project')
    .executeTakeFirst();
  return found?.project;
}

/** Erases the name of a creator. The id stays, but no longer leads to a person. */
export const updateForgottenCreator = (tx: Tx, userId: number) =>
  tx.db
    .updateTable('features')
    .set({ created_by: erasedName })
    .where('created_by_user_id', '=', userId)
    .execute();
