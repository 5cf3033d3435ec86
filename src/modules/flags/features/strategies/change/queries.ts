import type { Db, Tx } from '../../../../../platform/db/database.ts';
import type { Strategy } from '../../feature-schema.ts';

/** The active feature that has a strategy in an environment of an active project. */
export const findOwner = (
  db: Db,
  { id, project, environment }: Readonly<Record<'id' | 'project' | 'environment', string>>,
) =>
  db
    .selectFrom('feature_strategies as strategy')
    .innerJoin('features', 'features.name', 'strategy.feature_name')
    .innerJoin('projects', 'projects.id', 'features.project')
    .innerJoin('project_environments as membership', (join) =>
      join
        .onRef('membership.project', '=', 'features.project')
        .onRef('membership.environment', '=', 'strategy.environment'),
    )
    .where('strategy.id', '=', id)
    .where('strategy.environment', '=', environment)
    .where('features.project', '=', project)
    .where('features.archived_at', 'is', null)
    .where('projects.archived_at', 'is', null)
    .select('features.name')
    .executeTakeFirst();

/** All but its segments. */
export const updateStrategy = (tx: Tx, strategy: Strategy) =>
  tx.db
    .updateTable('feature_strategies')
    .set({
      name: strategy.name,
      title: strategy.title ?? null,
      disabled: strategy.disabled,
      sort_order: strategy.sortOrder,
      parameters: JSON.stringify(strategy.parameters),
      constraints: JSON.stringify(strategy.constraints),
      variants: JSON.stringify(strategy.variants),
    })
    .where('id', '=', strategy.id)
    .execute();

export const deleteSegments = (tx: Tx, strategyId: string) =>
  tx.db.deleteFrom('feature_strategy_segments').where('strategy_id', '=', strategyId).execute();
