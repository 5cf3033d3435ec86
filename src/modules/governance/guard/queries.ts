import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { ChangeRequestEnvironment } from '../../catalogue/projects/index.ts';
import type { Effects } from './effects.ts';

/**
 * Locks the memberships of these places until the transaction ends, so that their settings stay as they are, and returns
 * those in which changes need approval: production first. Without the lock, a change could be committed after change
 * requests were enabled.
 */
export async function lockProtectedPlaces(
  tx: Tx,
  { places, projects, segments }: Effects,
): Promise<ChangeRequestEnvironment[]> {
  const { rows } = await sql<ChangeRequestEnvironment & { isProtected: boolean }>`
    select pe.project, pe.environment, pe.change_requests_enabled as "isProtected"
    from project_environments pe
    join environments on environments.name = pe.environment
    where pe.project = any(${projects}::text[])
      or (pe.project, pe.environment) in (
        select * from unnest(
          ${places.map(({ project }) => project)}::text[],
          ${places.map(({ environment }) => environment)}::text[]))
      or (pe.project, pe.environment) in (
        select features.project, strategy.environment
        from feature_strategy_segments used
        join feature_strategies strategy on strategy.id = used.strategy_id
        join features on features.name = strategy.feature_name
        where used.segment_id = any(${segments}::int[]))
      -- Features that are enabled later get its segments.
      or exists (
        select from json_array_elements_text(pe.default_strategy -> 'segments') as used (id)
        where used.id::int = any(${segments}::int[]))
    order by environments.type = 'production' desc, environments.sort_order, pe.environment,
      pe.project
    for share of pe`.execute(tx.db);
  return rows
    .filter(({ isProtected }) => isProtected)
    .map(({ project, environment }) => ({ project, environment }));
}
