import { expressionBuilder, sql } from 'kysely';
import type { Database, Db } from '../../../platform/db/database.ts';
import { dueAtInSql } from './due.ts';
import { healthOf } from './health.ts';

/** How many living features a project has, and the first few of them. */
export const summariseFeatures = (db: Db, project: string) =>
  db
    .selectFrom('features')
    .where('project', '=', project)
    .where('archived_at', 'is', null)
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<string[]>`coalesce((array_agg(name order by name))[1:5], '{}')`.as('first'),
    ])
    .executeTakeFirstOrThrow();

/** How many living features of each type a project has; types that it does not use are left out. */
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

/**
 * The living features of every project, or of one, counted. One that is not stale, and has come to the age
 * that its type is made for, is potentially stale, unless people put that off or said that it stays.
 */
export const countedFeatures = (now: Date, project?: string) =>
  expressionBuilder<Database>()
    .selectFrom('features as f')
    .innerJoin('feature_types as t', 't.id', 'f.type')
    .leftJoin('feature_reviews as review', 'review.feature_name', 'f.name')
    .$if(project !== undefined, (query) => query.where('f.project', '=', project as string))
    .where('f.archived_at', 'is', null)
    .select([
      'f.project',
      sql<number>`count(*)::int`.as('features'),
      sql<number>`(count(*) filter (where f.stale))::int`.as('stale'),
      sql<number>`(count(*) filter (
        where not f.stale and ${sql.raw(dueAtInSql)} <= ${now}::timestamptz
      ))::int`.as('potentiallyStale'),
    ])
    .groupBy('f.project');

/** The living features of one project, counted at an instant, and what that makes of its health. */
export async function countFeatures(db: Db, project: string, now: Date) {
  const counted = await db
    .selectFrom(countedFeatures(now, project).as('counted'))
    .select(['counted.features', 'counted.stale', 'counted.potentiallyStale'])
    .executeTakeFirst();
  const { features, stale, potentiallyStale } = counted ?? noFeatures;
  return {
    total: features,
    stale,
    potentiallyStale,
    health: healthOf(features, stale + potentiallyStale),
  };
}

const noFeatures = { features: 0, stale: 0, potentiallyStale: 0 };

/** How many living features of a project are on in each environment. */
export const enabledFeatures = (project: string) =>
  expressionBuilder<Database>()
    .selectFrom('features')
    .innerJoin('feature_environments as own', 'own.feature_name', 'features.name')
    .where('features.project', '=', project)
    .where('features.archived_at', 'is', null)
    .where('own.enabled', '=', true)
    .select(['own.environment', sql<number>`count(*)::int`.as('count')])
    .groupBy('own.environment');
