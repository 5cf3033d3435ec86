import { sql } from 'kysely';
import type { Db } from '../../../../../platform/db/database.ts';
import type { Strategy } from '../../feature-schema.ts';

/** A strategy with the environment in which its feature has it. */
export type StrategyInEnvironment = Strategy & { readonly environment: string };

const selectStrategies = (db: Db) =>
  db
    .selectFrom('feature_strategies as strategy')
    .select([
      'strategy.id',
      'strategy.feature_name as featureName',
      'strategy.environment',
      'strategy.name',
      'strategy.title',
      'strategy.disabled',
      'strategy.sort_order as sortOrder',
      'strategy.constraints',
      'strategy.variants',
      'strategy.parameters',
    ])
    .select(({ selectFrom }) =>
      sql<number[]>`array(${selectFrom('feature_strategy_segments')
        .whereRef('strategy_id', '=', 'strategy.id')
        .select('segment_id')
        .orderBy('segment_id')})`.as('segments'),
    )
    .orderBy('strategy.feature_name')
    .orderBy('strategy.environment')
    .orderBy('strategy.sort_order')
    .orderBy('strategy.created_at')
    .orderBy('strategy.id');

type Row = Awaited<ReturnType<ReturnType<typeof selectStrategies>['execute']>>[number];

const strategyOf = ({ environment, title, ...row }: Row): Strategy => ({
  ...row,
  ...(title !== null && { title }),
});

/** The database counts, so that strategies too large to copy are never read. */
export async function countCharactersIn(
  db: Db,
  featureNames: readonly string[],
  environment: string,
): Promise<number> {
  const { characters } = await db
    .selectFrom('feature_strategies')
    .where(sql<boolean>`feature_name = any(${featureNames}::text[])`)
    .where('environment', '=', environment)
    .select(
      sql<string>`coalesce(sum(octet_length(parameters::text) + octet_length(constraints::text)
        + octet_length(variants::text)), 0)`.as('characters'),
    )
    .executeTakeFirstOrThrow();
  return Number(characters);
}

/** The strategies of features in these environments, or in all, by environment, in their order. */
export async function listStrategies(
  db: Db,
  featureNames: readonly string[],
  environments?: readonly string[],
): Promise<StrategyInEnvironment[]> {
  const rows = await selectStrategies(db)
    .where(sql<boolean>`strategy.feature_name = any(${featureNames}::text[])`)
    .$if(environments !== undefined, (query) =>
      query.where(sql<boolean>`strategy.environment = any(${environments}::text[])`),
    )
    .execute();
  return rows.map((row) => ({ ...strategyOf(row), environment: row.environment }));
}

/** The strategies of features in one environment, in their order. */
export async function listStrategiesIn(
  db: Db,
  featureNames: readonly string[],
  environment: string,
): Promise<Strategy[]> {
  const rows = await selectStrategies(db)
    .where(sql<boolean>`strategy.feature_name = any(${featureNames}::text[])`)
    .where('strategy.environment', '=', environment)
    .execute();
  return rows.map(strategyOf);
}
