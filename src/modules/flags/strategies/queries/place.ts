import { sql } from 'kysely';
import { maxInteger } from '../../../../platform/contract/schema.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';

/**
 * How features stand in an environment of their project; none of them when the project lacks it. The
 * project keeps it until the transaction ends. The features are locked already, so what is counted
 * here cannot change.
 */
export const listStates = (tx: Tx, names: readonly string[], environment: string) =>
  tx.db
    .selectFrom('features')
    .innerJoin('projects', 'projects.id', 'features.project')
    .innerJoin('project_environments as own', (join) =>
      join.onRef('own.project', '=', 'features.project').on('own.environment', '=', environment),
    )
    .leftJoin('feature_environments as set', (join) =>
      join.onRef('set.feature_name', '=', 'features.name').on('set.environment', '=', environment),
    )
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('feature_strategies')
          .whereRef('feature_name', '=', 'features.name')
          .where('environment', '=', environment)
          .select([
            sql<number>`count(*)::int`.as('strategies'),
            sql<number>`(count(*) filter (where not disabled))::int`.as('enabledStrategies'),
            sql<number>`least(coalesce(max(sort_order)::bigint + 1, 0), ${maxInteger})::int`.as(
              'nextPlace',
            ),
          ])
          .as('kept'),
      (join) => join.onTrue(),
    )
    .where(sql<boolean>`features.name = any(${names}::text[])`)
    .select([
      'features.name as featureName',
      'projects.default_stickiness as defaultStickiness',
      sql<boolean>`coalesce("set".enabled, false)`.as('enabled'),
      'kept.strategies',
      'kept.enabledStrategies',
      'kept.nextPlace',
    ])
    .orderBy('features.name')
    .forKeyShare('own')
    .execute();

export type State = Awaited<ReturnType<typeof listStates>>[number];

/** Whether there is such a feature, archived or not, and its project has the environment. */
export const findPlace = (
  db: Db,
  {
    project,
    featureName,
    environment,
  }: Readonly<Record<'project' | 'featureName' | 'environment', string>>,
) =>
  db
    .selectFrom('features')
    .leftJoin('project_environments as own', (join) =>
      join.onRef('own.project', '=', 'features.project').on('own.environment', '=', environment),
    )
    .where('features.name', '=', featureName)
    .where('features.project', '=', project)
    .select('own.environment')
    .executeTakeFirst();

/** Of the features, those that are on in an environment, whether their project has it or not. */
export async function listEnabled(
  db: Db,
  names: readonly string[],
  environment: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('feature_environments')
    .where(sql<boolean>`feature_name = any(${names}::text[])`)
    .where('environment', '=', environment)
    .where('enabled', '=', true)
    .select('feature_name as featureName')
    .execute();
  return rows.map(({ featureName }) => featureName);
}
