import { expressionBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Database, Db } from '../../../platform/db/database.ts';

/** The share of features that are neither stale nor potentially stale, in percent. */
export const healthOf = (features: number, staleOrDue: number): number =>
  features === 0 ? 100 : Math.round(100 - (100 * staleOrDue) / features);

/** How many active features a project has, and the names of the first five. */
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

/** The active features of every project, or of one, counted at an instant. A due feature that is not stale is potentially stale. */
export const countedFeatures = (now: Date, project?: string) =>
  expressionBuilder<Database>()
    .selectFrom('feature_ages as f')
    .$if(project !== undefined, (query) => query.where('f.project', '=', project as string))
    .where('f.archived_at', 'is', null)
    .select([
      'f.project',
      sql<number>`count(*)::int`.as('features'),
      sql<number>`(count(*) filter (where f.stale))::int`.as('stale'),
      sql<number>`(count(*) filter (where not f.stale and f.due_at <= ${now}::timestamptz))::int`.as(
        'potentiallyStale',
      ),
    ])
    .groupBy('f.project');

/** The active features of one project, counted at an instant, and its health. */
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

/** Stale and potentially stale features in the projects in which an actor can archive them. */
export async function countFeaturesToCleanUp(
  db: Db,
  { sees, may }: Pick<Actor, 'sees' | 'may'>,
  now: Date,
): Promise<number> {
  const counts = await db
    .selectFrom(countedFeatures(now).as('counted'))
    .innerJoin('projects', 'projects.id', 'counted.project')
    .where('projects.archived_at', 'is', null)
    .select([
      'counted.project',
      sql<number>`counted.stale + counted."potentiallyStale"`.as('count'),
    ])
    .execute();
  return counts
    .filter(
      ({ project }) => (sees === 'all' || sees.has(project)) && may('DELETE_FEATURE', project),
    )
    .reduce((sum, { count }) => sum + count, 0);
}

const noFeatures = { features: 0, stale: 0, potentiallyStale: 0 };

/** How many active features of a project are on in each environment. */
export const enabledFeatures = (project: string) =>
  expressionBuilder<Database>()
    .selectFrom('features')
    .innerJoin('feature_environments as state', 'state.feature_name', 'features.name')
    .where('features.project', '=', project)
    .where('features.archived_at', 'is', null)
    .where('state.enabled', '=', true)
    .select(['state.environment', sql<number>`count(*)::int`.as('count')])
    .groupBy('state.environment');
