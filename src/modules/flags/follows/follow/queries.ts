import { sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { lastEventId } from '../changes/queries.ts';

/** One follow of a person at a time, so that all of them are counted. */
export const lockFollower = (tx: Tx) =>
  tx.db
    .selectFrom('users')
    .where('id', '=', tx.actor.id)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Returns nothing if the person follows it already. */
export const insertFeatureFollow = (tx: Tx, feature: string) =>
  tx.db
    .insertInto('feature_follows')
    .values({
      feature_name: feature,
      user_id: tx.actor.id,
      created_at: tx.now,
      after_id: lastEventId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('feature_name')
    .executeTakeFirst();

export const insertProjectFollow = (tx: Tx, project: string) =>
  tx.db
    .insertInto('project_follows')
    .values({ project, user_id: tx.actor.id, created_at: tx.now, after_id: lastEventId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('project')
    .executeTakeFirst();

export const deleteFeatureFollow = (tx: Tx, feature: string) =>
  tx.db
    .deleteFrom('feature_follows')
    .where('feature_name', '=', feature)
    .where('user_id', '=', tx.actor.id)
    .returning('feature_name')
    .executeTakeFirst();

export const deleteProjectFollow = (tx: Tx, project: string) =>
  tx.db
    .deleteFrom('project_follows')
    .where('project', '=', project)
    .where('user_id', '=', tx.actor.id)
    .returning('project')
    .executeTakeFirst();

export async function countFollows(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectNoFrom(
      sql<number>`(
        (select count(*) from feature_follows where user_id = ${userId})
        + (select count(*) from project_follows where user_id = ${userId})
      )::int`.as('count'),
    )
    .executeTakeFirstOrThrow();
  return count;
}

/** The project of a feature, whether it is archived or not. */
export const findProjectOfFeature = async (db: Db, feature: string): Promise<string | undefined> =>
  (await db.selectFrom('features').where('name', '=', feature).select('project').executeTakeFirst())
    ?.project;

const isSeen = (sees: Actor['sees'], project: string) =>
  sees === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(project)} = any(${[...sees]}::text[])`;

export const listFeatureFollows = (db: Db, { id, sees }: Pick<Actor, 'id' | 'sees'>) =>
  db
    .selectFrom('feature_follows as follow')
    .innerJoin('features as f', 'f.name', 'follow.feature_name')
    .where('follow.user_id', '=', id)
    .where(isSeen(sees, 'f.project'))
    .select(['f.name', 'f.project', 'follow.created_at as followedAt'])
    .orderBy('f.name')
    .execute();

export const listProjectFollows = (db: Db, { id, sees }: Pick<Actor, 'id' | 'sees'>) =>
  db
    .selectFrom('project_follows as follow')
    .innerJoin('projects as p', 'p.id', 'follow.project')
    .where('follow.user_id', '=', id)
    .where(isSeen(sees, 'p.id'))
    .select(['p.id', 'p.name', 'follow.created_at as followedAt'])
    .orderBy('p.name')
    .execute();

/** Removes everything of an erased person. */
export async function deleteFollowsOf(tx: Tx, userId: number): Promise<void> {
  await tx.db.deleteFrom('feature_follows').where('user_id', '=', userId).execute();
  await tx.db.deleteFrom('project_follows').where('user_id', '=', userId).execute();
}
