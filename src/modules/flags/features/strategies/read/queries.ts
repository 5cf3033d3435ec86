import { sql } from 'kysely';
import type { Db } from '../../../../../platform/db/database.ts';
import type { Strategy } from '../../feature-schema.ts';

/** A strategy with the environment in which its feature has it. */
export type StrategyInEnvironment = Strategy & { readonly environment: string };

const selectStrategies = (db: Db) =>
  db
    .selectFrom('feature_strategies as own')
    .select([
      'own.id',
      'own.feature_name as featureName',
      'own.environment',
      'own.name',
      'own.title',
      'own.disabled',
      'own.sort_order as sortOrder',
      'own.constraints',
      'own.variants',
      'own.parameters',
    ])
    .select(({ selectFrom }) =>
      sql<number[]>`array(${selectFrom('feature_strategy_segments')
        .whereRef('strategy_id', '=', 'own.id')
        .select('segment_id')
        .orderBy('segment_id')})`.as('segments'),
    )
    .orderBy('own.feature_name')
    .orderBy('own.environment')
    .orderBy('own.sort_order')
    .orderBy('own.created_at')
    .orderBy('own.id');

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

/** All strategies of features, by environment, in their order. */
export async function listStrategies(
  db: Db,
  featureNames: readonly string[],
): Promise<StrategyInEnvironment[]> {
  const rows = await selectStrategies(db)
    .where(sql<boolean>`own.feature_name = any(${featureNames}::text[])`)
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
    .where(sql<boolean>`own.feature_name = any(${featureNames}::text[])`)
    .where('own.environment', '=', environment)
    .execute();
  return rows.map(strategyOf);
}
