import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import type { Dependency } from '../feature-schema.ts';

export type Edge = Dependency & { readonly child: string };

export const listParents = (db: Db, children: readonly string[]): Promise<Edge[]> =>
  db
    .selectFrom('feature_dependencies')
    .where(sql<boolean>`child = any(${children}::text[])`)
    .select(['child', 'parent as feature', 'enabled', 'variants'])
    .execute();

/** Those of the features that have children, each once. */
export async function listHavingChildren(db: Db, features: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('feature_dependencies')
    .where(sql<boolean>`parent = any(${features}::text[])`)
    .select('parent')
    .distinct()
    .execute();
  return rows.map(({ parent }) => parent);
}

/** Sent as one JSON text, because thousands of rows need more parameters than a statement takes. */
export const upsertDependencies = (tx: Tx, edges: readonly Edge[]) =>
  tx.db
    .insertInto('feature_dependencies')
    .columns(['child', 'parent', 'enabled', 'variants'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<Edge>`json_to_recordset(${JSON.stringify(edges)})`.as<'added'>(
          sql`added(child text, feature text, enabled boolean, variants text[])`,
        ),
      ).select(['added.child', 'added.feature', 'added.enabled', 'added.variants']),
    )
    .onConflict((conflict) =>
      conflict.columns(['child', 'parent']).doUpdateSet(({ ref }) => ({
        enabled: ref('excluded.enabled'),
        variants: ref('excluded.variants'),
      })),
    )
    .execute();

export const deleteDependency = (tx: Tx, child: string, parent: string) =>
  tx.db
    .deleteFrom('feature_dependencies')
    .where('child', '=', child)
    .where('parent', '=', parent)
    .returning('parent')
    .executeTakeFirst();

/** Returns the children that had a parent. */
export async function deleteParents(tx: Tx, children: readonly string[]): Promise<Set<string>> {
  const rows = await tx.db
    .deleteFrom('feature_dependencies')
    .where(sql<boolean>`child = any(${children}::text[])`)
    .returning('child')
    .execute();
  return new Set(rows.map(({ child }) => child));
}

/** The active features of a project without a parent. */
export async function listIndependent(db: Db, project: string): Promise<string[]> {
  const rows = await db
    .selectFrom('features')
    .where('project', '=', project)
    .where('archived_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('feature_dependencies as dependency')
            .whereRef('dependency.child', '=', 'features.name')
            .select('dependency.child'),
        ),
      ),
    )
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** The names of the variants of a feature and of its strategies, in all environments. */
export async function listVariantNames(db: Db, feature: string): Promise<string[]> {
  const rows = await db
    .selectFrom(({ selectFrom }) =>
      selectFrom('feature_environments')
        .where('feature_name', '=', feature)
        .select(sql`variants`.as('variants'))
        .unionAll(
          selectFrom('feature_strategies')
            .where('feature_name', '=', feature)
            .select(sql`variants`.as('variants')),
        )
        .as('held'),
    )
    .innerJoinLateral(
      sql<{ variant: object }>`json_array_elements(held.variants)`.as<'each'>(sql`each(variant)`),
      (join) => join.onTrue(),
    )
    .select(sql<string>`each.variant ->> 'name'`.as('name'))
    .distinct()
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

export async function existsDependency(db: Db, project: string): Promise<boolean> {
  const found = await db
    .selectFrom('feature_dependencies')
    .innerJoin('features', 'features.name', 'feature_dependencies.child')
    .where('features.project', '=', project)
    .select('feature_dependencies.child')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
