import { sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import type { FeatureType, UsedFeatureType } from './contract.ts';

const columns = ['id', 'name', 'description', 'lifetime_days as lifetimeDays'] as const;

export const listFeatureTypes = (db: Db, sees: Actor['sees']): Promise<UsedFeatureType[]> =>
  db
    .selectFrom('feature_types')
    .leftJoin(
      db
        .selectFrom('features')
        .where('archived_at', 'is', null)
        .$if(sees !== 'all', (query) =>
          query.where(sql<boolean>`project = any(${[...sees]}::text[])`),
        )
        .select(['type', sql<number>`count(*)::int`.as('features')])
        .groupBy('type')
        .as('usage'),
      'usage.type',
      'feature_types.id',
    )
    .select(columns)
    .select(sql<number>`coalesce(usage.features, 0)`.as('usedInFeatures'))
    .orderBy('sort_order')
    .orderBy('id')
    .execute();

/** How many active features of each type a project has; types that it does not use are left out. */
export const countFeaturesByType = (db: Db, project: string) =>
  db
    .selectFrom('features')
    .innerJoin('feature_types', 'feature_types.id', 'features.type')
    .where('features.project', '=', project)
    .where('features.archived_at', 'is', null)
    .select(['features.type', sql<number>`count(*)::int`.as('count')])
    .groupBy(['features.type', 'feature_types.sort_order'])
    .orderBy('feature_types.sort_order')
    .orderBy('features.type')
    .execute();

export const lockFeatureType = (tx: Tx, id: string): Promise<FeatureType | undefined> =>
  tx.db
    .selectFrom('feature_types')
    .where('id', '=', id)
    .select(columns)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** In the order in which they are listed, from this number on. */
export const insertFeatureTypes = (tx: Tx, types: readonly FeatureType[], from = 0) =>
  tx.db
    .insertInto('feature_types')
    .values(
      types.map(({ id, name, description, lifetimeDays }, index) => ({
        id,
        name,
        description,
        lifetime_days: lifetimeDays,
        sort_order: from + index,
      })),
    )
    .execute();

export const updateLifetime = (tx: Tx, { id, lifetimeDays }: FeatureType) =>
  tx.db
    .updateTable('feature_types')
    .set({ lifetime_days: lifetimeDays })
    .where('id', '=', id)
    .execute();
