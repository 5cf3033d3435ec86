import { expressionBuilder, sql } from 'kysely';
import type { Database, Db } from '../../../platform/db/database.ts';

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
 * The living features of every project, counted. One that is not stale, and has come to the age that its
 * type is made for, is potentially stale. A day has 24 hours, whatever the clocks of a zone do.
 */
export const countedFeatures = (now: Date) =>
  expressionBuilder<Database>()
    .selectFrom('features')
    .innerJoin('feature_types', 'feature_types.id', 'features.type')
    .where('features.archived_at', 'is', null)
    .select([
      'features.project',
      sql<number>`count(*)::int`.as('features'),
      sql<number>`(count(*) filter (where features.stale))::int`.as('stale'),
      sql<number>`(count(*) filter (
        where not features.stale
          and features.created_at + feature_types.lifetime_days * interval '24 hours' <= ${now}
      ))::int`.as('potentiallyStale'),
    ])
    .groupBy('features.project');

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
