import { sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';

/** Returns nothing if it is a favorite already. */
export const insertFavorite = (tx: Tx, project: string, user: number = tx.actor.id) =>
  tx.db
    .insertInto('project_favorites')
    .values({ project, user_id: user, created_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('project')
    .executeTakeFirst();

export const deleteFavorite = (tx: Tx, project: string, user: number = tx.actor.id) =>
  tx.db
    .deleteFrom('project_favorites')
    .where('project', '=', project)
    .where('user_id', '=', user)
    .returning('project')
    .executeTakeFirst();

/** In a query of projects: whether each is a favorite of the user. */
export const isFavoriteOf = (userId: number) =>
  sql<boolean>`exists (
    select from project_favorites as favorite where favorite.project = projects.id and favorite.user_id = ${userId}
  )`;
