import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';

interface Obstacles {
  readonly feature: string;
  readonly lostEnvironments: readonly string[];
  readonly lostSegments: readonly string[];
  readonly parents: readonly string[];
  readonly children: readonly string[];
}

/**
 * What features would lose in another project. All projects are locked, so that no one moves a segment into one of
 * them.
 */
export async function listObstacles(
  db: Db,
  features: readonly string[],
  project: string,
): Promise<Obstacles[]> {
  const { rows } = await sql<Obstacles>`
    select moving.name as feature,
      array(
        select used.environment from (
          select environment from feature_strategies where feature_name = moving.name
          union
          select environment from feature_environments
          where feature_name = moving.name and (enabled or json_array_length(variants) > 0)
        ) used
        where used.environment not in (
          select environment from project_environments where project = ${project}
        )
        order by used.environment
      ) as "lostEnvironments",
      array(
        select segments.name from segments
        where segments.project <> ${project} and exists (
          select from feature_strategy_segments used
          join feature_strategies strategy on strategy.id = used.strategy_id
          where used.segment_id = segments.id and strategy.feature_name = moving.name
        )
        order by segments.name
      ) as "lostSegments",
      array(
        select parent from feature_dependencies where child = moving.name order by parent
      ) as parents,
      array(
        select child from feature_dependencies where parent = moving.name order by child
      ) as children
    from unnest(${features}::text[]) moving(name)`.execute(db);
  return rows;
}

export async function countFeaturesOf(db: Db, project: string): Promise<number> {
  const { count } = await db
    .selectFrom('features')
    .where('project', '=', project)
    .where('archived_at', 'is', null)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export const updateProjectOf = (tx: Tx, names: readonly string[], project: string) =>
  tx.db
    .updateTable('features')
    .set({ project })
    .where(sql<boolean>`name = any(${names}::text[])`)
    .execute();

/** The rest of a state in an environment that the project lacks: when the feature was last seen there. */
export const deleteStateOutside = (tx: Tx, names: readonly string[], project: string) =>
  tx.db
    .deleteFrom('feature_environments')
    .where(sql<boolean>`feature_name = any(${names}::text[])`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('project_environments as pe')
            .where('pe.project', '=', project)
            .whereRef('pe.environment', '=', 'feature_environments.environment'),
        ),
      ),
    )
    .execute();
