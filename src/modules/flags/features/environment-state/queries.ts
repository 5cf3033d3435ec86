import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import type { Variant } from '../variants/variant-schema.ts';

/** What a feature is in one environment of its project, whether somebody ever set anything or not. */
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
    .innerJoin('project_environments as own', 'own.project', 'features.project')
    .innerJoin('environments', 'environments.name', 'own.environment')
    .leftJoin('feature_environments as stored', (join) =>
      join
        .onRef('stored.feature_name', '=', 'features.name')
        .onRef('stored.environment', '=', 'own.environment'),
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

/** Of every environment that the projects of the features have, in the order of the environments. */
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

/** As one JSON text: many copies at once would need more parameters than a statement takes. */
export const upsertVariants = (tx: Tx, wishes: readonly EnvironmentVariants[]) =>
  tx.db
    .insertInto('feature_environments')
    .columns(['feature_name', 'environment', 'variants'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<{ name: string; environment: string; variants: string }>`json_to_recordset(
          ${JSON.stringify(
            wishes.map(({ featureName, environment, variants }) => ({
              name: featureName,
              environment,
              variants,
            })),
          )}
        )`.as<'wished'>(sql`wished(name text, environment text, variants json)`),
      ).select(['wished.name', 'wished.environment', 'wished.variants']),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['feature_name', 'environment'])
        .doUpdateSet(({ ref }) => ({ variants: ref('excluded.variants') })),
    )
    .execute();

/** What features have in an environment that their project is about to lose. */
export const deleteEnvironmentState = (tx: Tx, names: readonly string[], environment: string) =>
  tx.db
    .deleteFrom('feature_environments')
    .where(sql<boolean>`feature_name = any(${names}::text[])`)
    .where('environment', '=', environment)
    .execute();

/** What features have in an environment beside strategies; only those that have anything there. */
export const listStatesIn = (db: Db, names: readonly string[], environment: string) =>
  db
    .selectFrom('feature_environments')
    .where(sql<boolean>`feature_name = any(${names}::text[])`)
    .where('environment', '=', environment)
    .select(['feature_name as featureName', 'enabled', 'variants'])
    .execute();
