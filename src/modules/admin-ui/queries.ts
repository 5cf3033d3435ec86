import { sql } from 'kysely';
import type { Actor } from '../../platform/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { systemActor } from '../access/gate/index.ts';
import { imageUrlIn } from '../access/users/index.ts';
import { firstEventIdOf } from '../events/index.ts';

type Sees = Actor['sees'];

const isSeen = (sees: Sees) =>
  sees === 'all' ? sql<boolean>`true` : sql<boolean>`project = any(${[...sees]}::text[])`;

/** Active features that the user created or marked as favorite, newest first. */
export const listOwnFeatures = (
  db: Db,
  { userId, sees, limit }: { userId: number; sees: Sees; limit: number },
) =>
  db
    .selectFrom('features')
    .where('archived_at', 'is', null)
    .where(isSeen(sees))
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('created_by_user_id', '=', userId),
        exists(
          selectFrom('feature_favorites as favorite')
            .whereRef('favorite.feature_name', '=', 'features.name')
            .where('favorite.user_id', '=', userId)
            .select('favorite.feature_name'),
        ),
      ]),
    )
    .select(['name', 'project', 'type'])
    .orderBy('created_at', 'desc')
    .orderBy('name')
    .limit(limit)
    .execute();

/** Names of active features, newest first. */
export const listFeatureNames = (db: Db, { sees, limit }: { sees: Sees; limit: number }) =>
  db
    .selectFrom('features')
    .where('archived_at', 'is', null)
    .where(isSeen(sees))
    .select(['name', 'project'])
    .orderBy('created_at', 'desc')
    .orderBy('name')
    .limit(limit)
    .execute();

/** The mean health of a project over days, both ends included; null without data. */
export async function findMeanHealth(
  db: Db,
  project: string,
  [from, to]: readonly [string, string],
): Promise<number | null> {
  const { mean } = await db
    .selectFrom('health_snapshots')
    .where('project', '=', project)
    .where(sql<boolean>`day between ${from}::date and ${to}::date`)
    .select(sql<number | null>`round(avg(health))::int`.as('mean'))
    .executeTakeFirstOrThrow();
  return mean;
}

/** The newest events of the current project. */
export const listLatestEvents = (
  db: Db,
  project: string,
  { limit, baseUrl }: { limit: number; baseUrl: string },
) =>
  db
    .selectFrom('events')
    .where('project', '=', project)
    .where(sql<boolean>`id >= ${firstEventIdOf(project)}`)
    .select([
      'id',
      'created_at as createdAt',
      'created_by as createdBy',
      'summary',
      imageUrlIn(sql`coalesce(created_by_user_id, ${systemActor.id})`, baseUrl).as(
        'createdByImageUrl',
      ),
    ])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
