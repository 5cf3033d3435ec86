import { sql } from 'kysely';
import { maxInteger } from '../../../../platform/contract/schema.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import type { EnvironmentAddress } from '../address-schema.ts';
import type { Variant } from '../variants/variant-schema.ts';

/** The state of a feature in an environment of its project, also where no one has set anything. */
export interface EnvironmentState {
  readonly environment: string;
  /** Of the environment. */
  readonly type: string;
  readonly sortOrder: number;
  readonly enabled: boolean;
  readonly variants: Variant[];
  readonly lastSeenAt: Date | null;
}

const selectStates = (db: Db, features: readonly string[]) =>
  db
    .selectFrom('features')
    .innerJoin('project_environments as pe', 'pe.project', 'features.project')
    .innerJoin('environments', 'environments.name', 'pe.environment')
    .leftJoin('feature_environments as stored', (join) =>
      join
        .onRef('stored.feature_name', '=', 'features.name')
        .onRef('stored.environment', '=', 'pe.environment'),
    )
    .where(sql<boolean>`features.name = any(${features}::text[])`)
    .orderBy('environments.sort_order')
    .orderBy('environments.name')
    .select([
      'features.name as featureName',
      'environments.name as environment',
      'environments.type',
      'environments.sort_order as sortOrder',
      sql<boolean>`coalesce(stored.enabled, false)`.as('enabled'),
      sql<Variant[]>`coalesce(stored.variants, '[]')`.as('variants'),
      'stored.last_seen_at as lastSeenAt',
    ]);

/** One state for every environment that the project of a feature has, in the order of the environments. */
export const listEnvironmentStates = (
  db: Db,
  features: readonly string[],
): Promise<(EnvironmentState & { featureName: string })[]> => selectStates(db, features).execute();

export async function findEnvironmentState(
  db: Db,
  feature: string,
  environment: string,
): Promise<EnvironmentState | undefined> {
  const state = await selectStates(db, [feature])
    .where('environments.name', '=', environment)
    .executeTakeFirst();
  if (!state) return undefined;
  const { featureName, ...own } = state;
  return own;
}

/** One statement for any number of features. */
export const upsertEnabled = (
  tx: Tx,
  names: readonly string[],
  environment: string,
  enabled: boolean,
) =>
  tx.db
    .insertInto('feature_environments')
    .columns(['feature_name', 'environment', 'enabled'])
    .expression(({ selectFrom, val }) =>
      selectFrom(
        sql<{ name: string }>`unnest(${names}::text[])`.as<'switched'>(sql`switched(name)`),
      )
        .select('switched.name')
        .select([val(environment).as('environment'), val(enabled).as('enabled')]),
    )
    .onConflict((conflict) =>
      conflict.columns(['feature_name', 'environment']).doUpdateSet({ enabled }),
    )
    .execute();

export interface EnvironmentVariants {
  readonly featureName: string;
  readonly environment: string;
  readonly variants: readonly Variant[];
}

/** Sent as one JSON text, because thousands of rows need more parameters than a statement takes. */
export const upsertVariants = (tx: Tx, rows: readonly EnvironmentVariants[]) =>
  tx.db
    .insertInto('feature_environments')
    .columns(['feature_name', 'environment', 'variants'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<{ name: string; environment: string; variants: string }>`json_to_recordset(
          ${JSON.stringify(
            rows.map(({ featureName, environment, variants }) => ({
              name: featureName,
              environment,
              variants,
            })),
          )}
        )`.as<'added'>(sql`added(name text, environment text, variants json)`),
      ).select(['added.name', 'added.environment', 'added.variants']),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['feature_name', 'environment'])
        .doUpdateSet(({ ref }) => ({ variants: ref('excluded.variants') })),
    )
    .execute();

/** Their project is about to lose the environment. */
export const deleteEnvironmentState = (tx: Tx, names: readonly string[], environment: string) =>
  tx.db
    .deleteFrom('feature_environments')
    .where(sql<boolean>`feature_name = any(${names}::text[])`)
    .where('environment', '=', environment)
    .execute();

/** Only the states that someone has set. */
export const listStatesIn = (db: Db, names: readonly string[], environment: string) =>
  db
    .selectFrom('feature_environments')
    .where(sql<boolean>`feature_name = any(${names}::text[])`)
    .where('environment', '=', environment)
    .select(['feature_name as featureName', 'enabled', 'variants'])
    .execute();

/**
 * The states of features in an environment of their project; none if the project lacks it. The project
 * keeps the environment until the transaction ends. The features are locked already, so the counts
 * cannot change.
 */
export const listStates = (tx: Tx, names: readonly string[], environment: string) =>
  tx.db
    .selectFrom('features')
    .innerJoin('projects', 'projects.id', 'features.project')
    .innerJoin('project_environments as pe', (join) =>
      join.onRef('pe.project', '=', 'features.project').on('pe.environment', '=', environment),
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
              'nextSortOrder',
            ),
          ])
          .as('totals'),
      (join) => join.onTrue(),
    )
    .where(sql<boolean>`features.name = any(${names}::text[])`)
    .select([
      'features.name as featureName',
      'projects.default_stickiness as defaultStickiness',
      sql<boolean>`coalesce("set".enabled, false)`.as('enabled'),
      'totals.strategies',
      'totals.enabledStrategies',
      'totals.nextSortOrder',
    ])
    .orderBy('features.name')
    .forKeyShare('pe')
    .execute();

export type State = Awaited<ReturnType<typeof listStates>>[number];

/** The feature, archived or not, with the environment where its project has it. */
export const findProjectEnvironmentOf = (
  db: Db,
  { project, featureName, environment }: EnvironmentAddress,
) =>
  db
    .selectFrom('features')
    .leftJoin('project_environments as pe', (join) =>
      join.onRef('pe.project', '=', 'features.project').on('pe.environment', '=', environment),
    )
    .where('features.name', '=', featureName)
    .where('features.project', '=', project)
    .select('pe.environment')
    .executeTakeFirst();

/** Those of the features that are on in an environment, whether their project has it or not. */
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
