import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { erasedName } from '../../../events/index.ts';

const columns = [
  'permanent',
  'snoozed_until as snoozedUntil',
  'reason',
  'reviewed_by as reviewedBy',
  'reviewed_at as reviewedAt',
] as const;

export const findReview = (db: Db, feature: string) =>
  db
    .selectFrom('feature_reviews')
    .where('feature_name', '=', feature)
    .select(columns)
    .executeTakeFirst();

export const listReviews = (db: Db, features: readonly string[]) =>
  db
    .selectFrom('feature_reviews')
    .where(sql<boolean>`feature_name = any(${features}::text[])`)
    .select(['feature_name as featureName', ...columns])
    .execute();

export type StoredReview = NonNullable<Awaited<ReturnType<typeof findReview>>>;

export const isActiveFeature = async (db: Db, project: string, feature: string) =>
  (await db
    .selectFrom('features')
    .where('name', '=', feature)
    .where('project', '=', project)
    .where('archived_at', 'is', null)
    .select('name')
    .executeTakeFirst()) !== undefined;

export function upsertReviews(
  tx: Tx,
  features: readonly string[],
  { permanent, snoozedUntil, reason }: Pick<StoredReview, 'permanent' | 'snoozedUntil' | 'reason'>,
) {
  const review = {
    permanent,
    snoozed_until: snoozedUntil,
    reason,
    reviewed_by: tx.actor.name,
    reviewed_by_user_id: tx.actor.id,
    reviewed_at: tx.now,
  };
  return tx.db
    .insertInto('feature_reviews')
    .values(features.map((feature) => ({ feature_name: feature, ...review })))
    .onConflict((conflict) => conflict.column('feature_name').doUpdateSet(review))
    .returning(columns)
    .execute();
}

export const deleteReviews = (tx: Tx, features: readonly string[]) =>
  tx.db
    .deleteFrom('feature_reviews')
    .where(sql<boolean>`feature_name = any(${features}::text[])`)
    .execute();

/** Removes the name of an erased person. The id stays, and no longer identifies anyone. */
export const updateForgottenReviewer = (tx: Tx, userId: number) =>
  tx.db
    .updateTable('feature_reviews')
    .set({ reviewed_by: erasedName })
    .where('reviewed_by_user_id', '=', userId)
    .execute();
