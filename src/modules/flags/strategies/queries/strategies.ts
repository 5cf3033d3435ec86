import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import type { Strategy } from '../../features/index.ts';

/** A strategy with the environment in which the feature has it. */
export type PlacedStrategy = Strategy & { readonly environment: string };

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

/** How many characters the strategies of features take in an environment; none of them is read for it. */
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
): Promise<PlacedStrategy[]> {
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

/** The living feature that has a strategy in an environment of a living project. */
export const findOwner = (
  db: Db,
  { id, project, environment }: Readonly<Record<'id' | 'project' | 'environment', string>>,
) =>
  db
    .selectFrom('feature_strategies as own')
    .innerJoin('features', 'features.name', 'own.feature_name')
    .innerJoin('projects', 'projects.id', 'features.project')
    .innerJoin('project_environments as placed', (join) =>
      join
        .onRef('placed.project', '=', 'features.project')
        .onRef('placed.environment', '=', 'own.environment'),
    )
    .where('own.id', '=', id)
    .where('own.environment', '=', environment)
    .where('features.project', '=', project)
    .where('features.archived_at', 'is', null)
    .where('projects.archived_at', 'is', null)
    .select('features.name')
    .executeTakeFirst();

const ownColumns = [
  ...(['id', 'feature_name', 'environment', 'name', 'title', 'disabled', 'sort_order'] as const),
  ...(['parameters', 'constraints', 'variants', 'created_at'] as const),
];

/** One parameter, however many they are: 500 copied features can have more than the 65,535 of a statement. */
export const insertStrategies = (
  tx: Tx,
  strategies: readonly (PlacedStrategy & { readonly createdAt: Date })[],
) =>
  tx.db
    .insertInto('feature_strategies')
    .columns(ownColumns)
    .expression(
      sql`select * from json_to_recordset(${JSON.stringify(strategies)}::json) added(id text, "featureName" text,
        environment text, name text, title text, disabled boolean, "sortOrder" integer, parameters json,
        constraints json, variants json, "createdAt" timestamptz)`,
    )
    .execute();

/** The segments of strategies that have none yet. */
export const insertSegments = (
  tx: Tx,
  strategies: readonly Pick<Strategy, 'id' | 'segments'>[],
) => {
  const pairs = strategies.flatMap(({ id, segments }) =>
    segments.map((segment) => ({ id, segment })),
  );
  return tx.db
    .insertInto('feature_strategy_segments')
    .columns(['strategy_id', 'segment_id'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<{
          id: string;
          segment: number;
        }>`unnest(${pairs.map(({ id }) => id)}::text[], ${pairs.map(
          ({ segment }) => segment,
        )}::integer[])`.as<'added'>(sql`added(id, segment)`),
      ).select(['added.id', 'added.segment']),
    )
    .execute();
};

export const deleteSegments = (tx: Tx, strategyId: string) =>
  tx.db.deleteFrom('feature_strategy_segments').where('strategy_id', '=', strategyId).execute();

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

export const updateEnabled = (tx: Tx, ids: readonly string[]) =>
  tx.db
    .updateTable('feature_strategies')
    .set({ disabled: false })
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();

export const updateOrder = (tx: Tx, places: readonly Pick<Strategy, 'id' | 'sortOrder'>[]) =>
  tx.db
    .updateTable('feature_strategies')
    .from(
      sql<{ id: string; place: number }>`unnest(${places.map(({ id }) => id)}::text[], ${places.map(
        ({ sortOrder }) => sortOrder,
      )}::integer[])`.as<'wished'>(sql`wished(id, place)`),
    )
    .set(({ ref }) => ({ sort_order: ref('wished.place') }))
    .whereRef('feature_strategies.id', '=', 'wished.id')
    .execute();

export const deleteStrategies = (tx: Tx, ids: readonly string[]) =>
  tx.db.deleteFrom('feature_strategies').where(sql<boolean>`id = any(${ids}::text[])`).execute();
