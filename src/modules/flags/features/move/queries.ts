import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';

const names = sql<string[]>;

/**
 * What a feature would lose in another project, and how many features that has. Both projects are locked, so
 * that nobody moves a segment into either of them.
 */
export const findObstacles = (db: Db, feature: string, project: string) =>
  db
    .selectNoFrom([
      names`array(
        select used.environment from (
          select environment from feature_strategies where feature_name = ${feature}
          union
          select environment from feature_environments
          where feature_name = ${feature} and (enabled or json_array_length(variants) > 0)
        ) used
        where used.environment not in (
          select environment from project_environments where project = ${project}
        )
        order by used.environment
      )`.as('lostEnvironments'),
      names`array(
        select segments.name from segments
        where segments.project <> ${project} and exists (
          select from feature_strategy_segments used
          join feature_strategies own on own.id = used.strategy_id
          where used.segment_id = segments.id and own.feature_name = ${feature}
        )
        order by segments.name
      )`.as('lostSegments'),
      names`array(
        select parent from feature_dependencies where child = ${feature} order by parent
      )`.as('parents'),
      names`array(
        select child from feature_dependencies where parent = ${feature} order by child
      )`.as('children'),
      sql<number>`(
        select count(*)::int from features where project = ${project} and archived_at is null
      )`.as('featureCount'),
    ])
    .executeTakeFirstOrThrow();

export const updateProjectOf = (tx: Tx, name: string, project: string) =>
  tx.db.updateTable('features').set({ project }).where('name', '=', name).execute();

/** The rest of a state in an environment that the project lacks: when the feature was last seen there. */
export const deleteStateOutside = (tx: Tx, name: string, project: string) =>
  tx.db
    .deleteFrom('feature_environments')
    .where('feature_name', '=', name)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('project_environments as own')
            .where('own.project', '=', project)
            .whereRef('own.environment', '=', 'feature_environments.environment'),
        ),
      ),
    )
    .execute();
