import type { Tx } from '../../../../platform/db/database.ts';

/** Returns nothing if it is a favorite already. */
export const insertFavorite = (tx: Tx, feature: string, user: number = tx.actor.id) =>
  tx.db
    .insertInto('feature_favorites')
    .values({ feature_name: feature, user_id: user, created_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('feature_name')
    .executeTakeFirst();

export const deleteFavorite = (tx: Tx, feature: string, user: number = tx.actor.id) =>
  tx.db
    .deleteFrom('feature_favorites')
    .where('feature_name', '=', feature)
    .where('user_id', '=', user)
    .returning('feature_name')
    .executeTakeFirst();
