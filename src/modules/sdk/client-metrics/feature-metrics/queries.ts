import { sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Database, Db, Tx } from '../../../../platform/db/database.ts';
import { stages } from '../../../flags/features/index.ts';
import { maxCount } from '../bounds.ts';

export interface FeatureInEnvironment {
  readonly feature: string;
  readonly environment: string;
}

/** A feature in an environment, found by name. */
export interface FeatureEnvironmentRow extends FeatureInEnvironment {
  readonly project: string;
  /** Whether the project has the environment. */
  readonly isInProject: boolean;
  readonly enabled: boolean;
  /** The type of the environment; null if the project does not have it. */
  readonly type: string | null;
  readonly lastSeenAt: Date | null;
  /** The furthest lifecycle stage of the feature, counted from one. */
  readonly stage: number;
}

/**
 * The features with these names, archived ones too. Not locked: locking each one every second would write its row.
 */
export async function listFeatureEnvironments(
  db: Db,
  requested: readonly FeatureInEnvironment[],
): Promise<FeatureEnvironmentRow[]> {
  const { rows } = await sql<FeatureEnvironmentRow>`
    select requested.feature, requested.environment, f.project, pe.environment is not null as "isInProject",
      coalesce(s.enabled, false) as enabled, e.type, s.last_seen_at as "lastSeenAt",
      coalesce((
        select max(array_position(${[...stages]}::text[], c.stage))
        from feature_lifecycles c where c.feature_name = f.name), 0) as stage
    from unnest(
      ${requested.map(({ feature }) => feature)}::text[],
      ${requested.map(({ environment }) => environment)}::text[]) requested(feature, environment)
    join features f on f.name = requested.feature
    left join project_environments pe
      on pe.project = f.project and pe.environment = requested.environment
    left join environments e on e.name = pe.environment
    left join feature_environments s
      on s.feature_name = f.name and s.environment = pe.environment`.execute(db);
  return rows;
}

export interface CountedHour extends FeatureInEnvironment {
  readonly appName: string;
  readonly hourMs: number;
  yes: number;
  no: number;
  readonly variants: Map<string, number>;
}

const sum = (stored: string, added: string) =>
  sql<number>`least(${sql.ref(stored)} + ${sql.ref(added)}, ${maxCount}::bigint)`;

/** Capped, because five thousand of the largest numbers exceed a bigint. */
const total = (column: string) =>
  sql<number>`least(sum(${sql.ref(column)}), ${maxCount}::bigint)::bigint`;

const instantsOf = (hours: readonly { readonly hourMs: number }[]) =>
  hours.map(({ hourMs }) => new Date(hourMs).toISOString());

/** In a fixed order, so that instances that store at the same time cannot deadlock. */
export const addHours = (tx: Tx, hours: readonly CountedHour[]) =>
  tx.db
    .insertInto('usage_hours')
    .columns(['feature_name', 'hour', 'environment', 'app_name', 'yes', 'no'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<{
          feature: string;
          hour: Date;
          environment: string;
          app: string;
          yes: number;
          no: number;
        }>`unnest(
          ${hours.map(({ feature }) => feature)}::text[], ${instantsOf(hours)}::timestamptz[],
          ${hours.map(({ environment }) => environment)}::text[],
          ${hours.map(({ appName }) => appName)}::text[],
          ${hours.map(({ yes }) => yes)}::bigint[], ${hours.map(({ no }) => no)}::bigint[])`.as<'reported'>(
          sql`reported(feature, hour, environment, app, yes, no)`,
        ),
      )
        .select([
          'reported.feature',
          'reported.hour',
          'reported.environment',
          'reported.app',
          'reported.yes',
          'reported.no',
        ])
        .orderBy('reported.feature')
        .orderBy('reported.hour')
        .orderBy('reported.environment')
        .orderBy('reported.app'),
    )
    .onConflict((conflict) =>
      conflict.columns(['feature_name', 'hour', 'environment', 'app_name']).doUpdateSet({
        yes: sum('usage_hours.yes', 'excluded.yes'),
        no: sum('usage_hours.no', 'excluded.no'),
      }),
    )
    .execute();

/** Adds the counts of all applications and environments to those of the features. */
export const addEvaluations = (tx: Tx, hours: readonly CountedHour[]) =>
  tx.db
    .insertInto('evaluation_hours')
    .columns(['feature_name', 'hour', 'yes', 'no'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<{ feature: string; hour: Date; yes: number; no: number }>`unnest(
          ${hours.map(({ feature }) => feature)}::text[], ${instantsOf(hours)}::timestamptz[],
          ${hours.map(({ yes }) => yes)}::bigint[], ${hours.map(({ no }) => no)}::bigint[])`.as<'reported'>(
          sql`reported(feature, hour, yes, no)`,
        ),
      )
        .select(['reported.feature', 'reported.hour'])
        .select([total('reported.yes').as('yes'), total('reported.no').as('no')])
        .groupBy(['reported.feature', 'reported.hour'])
        .orderBy('reported.feature')
        .orderBy('reported.hour'),
    )
    .onConflict((conflict) =>
      conflict.columns(['feature_name', 'hour']).doUpdateSet({
        yes: sum('evaluation_hours.yes', 'excluded.yes'),
        no: sum('evaluation_hours.no', 'excluded.no'),
      }),
    )
    .execute();

export interface CountedVariant extends FeatureInEnvironment {
  readonly appName: string;
  readonly hourMs: number;
  readonly variant: string;
  readonly count: number;
}

const sameHour = sql`stored.feature_name = reported.feature and stored.hour = reported.hour
  and stored.environment = reported.environment and stored.app_name = reported.app`;

/** Stores at most `most` variants for each hour, application and feature, because clients can invent names. */
export const addVariantHours = (tx: Tx, counted: readonly CountedVariant[], most: number) =>
  tx.db
    .insertInto('usage_variant_hours')
    .columns(['feature_name', 'hour', 'environment', 'app_name', 'variant', 'count'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<{
          feature: string;
          hour: Date;
          environment: string;
          app: string;
          variant: string;
          count: number;
          isStored: boolean;
          rank: number;
        }>`(
          select reported.*, stored.variant is not null as "isStored", row_number() over (
            partition by reported.feature, reported.hour, reported.environment, reported.app, stored.variant is null
            order by reported.variant) as rank
          from unnest(
            ${counted.map(({ feature }) => feature)}::text[], ${instantsOf(counted)}::timestamptz[],
            ${counted.map(({ environment }) => environment)}::text[],
            ${counted.map(({ appName }) => appName)}::text[],
            ${counted.map(({ variant }) => variant)}::text[],
            ${counted.map(({ count }) => count)}::bigint[]
          ) reported(feature, hour, environment, app, variant, count)
          left join usage_variant_hours stored on ${sameHour} and stored.variant = reported.variant
        )`.as('reported'),
      )
        .select([
          'reported.feature',
          'reported.hour',
          'reported.environment',
          'reported.app',
          'reported.variant',
          'reported.count',
        ])
        .where(
          sql<boolean>`reported."isStored" or reported.rank + (
            select count(*) from usage_variant_hours stored where ${sameHour}) <= ${most}`,
        )
        .orderBy('reported.feature')
        .orderBy('reported.hour')
        .orderBy('reported.environment')
        .orderBy('reported.app')
        .orderBy('reported.variant'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['feature_name', 'hour', 'environment', 'app_name', 'variant'])
        .doUpdateSet({ count: sum('usage_variant_hours.count', 'excluded.count') }),
    )
    .execute();

/** The newest hour of each environment since an instant. */
export const listLastHours = (db: Db, feature: string, since: Date) =>
  db
    .selectFrom('usage_hours')
    .where('feature_name', '=', feature)
    .where('hour', '>=', since)
    .distinctOn('environment')
    .select(['environment', 'hour'])
    .select([total('yes').as('yes'), total('no').as('no')])
    .groupBy(['environment', 'hour'])
    .orderBy('environment')
    .orderBy('hour', 'desc')
    .execute();

type EvaluationHour = Database['evaluation_hours'];

interface CountedEvaluations extends Pick<Actor, 'sees'> {
  readonly names: readonly string[];
  readonly environment: string | undefined;
  readonly since: Date;
}

/** Hours of all environments are stored as sums. */
const hoursIn = (environment: string | undefined) =>
  environment === undefined
    ? sql<EvaluationHour>`(select feature_name, hour, yes, no from evaluation_hours)`
    : sql<EvaluationHour>`(
        select feature_name, hour, yes, no from usage_hours where environment = ${environment})`;

/** Of these features, those in projects that the actor sees and that were evaluated since an instant. */
export const countEvaluations = (db: Db, { sees, names, environment, since }: CountedEvaluations) =>
  db
    .selectFrom(hoursIn(environment).as('evaluated'))
    .innerJoin('features', 'features.name', 'evaluated.feature_name')
    .where(sql<boolean>`evaluated.feature_name = any(${names}::text[])`)
    .where('evaluated.hour', '>=', since)
    .where(
      sees === 'all'
        ? sql<boolean>`true`
        : sql<boolean>`features.project = any(${[...sees]}::text[])`,
    )
    .groupBy('evaluated.feature_name')
    .select([
      'evaluated.feature_name as name',
      total('evaluated.yes').as('yes'),
      total('evaluated.no').as('no'),
    ])
    .orderBy('evaluated.feature_name')
    .execute();

interface EvaluatedBetween {
  readonly names: readonly string[];
  readonly environment: string;
  /** The start of the first hour. */
  readonly from: Date;
  /** The end of the last hour. */
  readonly to: Date;
}

/** How often features were evaluated in an environment in these hours. */
export async function countEvaluationsBetween(
  db: Db,
  { names, environment, from, to }: EvaluatedBetween,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('usage_hours')
    .where(sql<boolean>`feature_name = any(${names}::text[])`)
    .where('environment', '=', environment)
    .where('hour', '>=', from)
    .where('hour', '<', to)
    .groupBy('feature_name')
    .select(['feature_name as name', total('yes').as('yes'), total('no').as('no')])
    .execute();
  return new Map(rows.map(({ name, yes, no }) => [name, Math.min(yes + no, maxCount)]));
}

/** The existing applications that evaluated a feature. */
export async function listApplicationsOf(db: Db, feature: string): Promise<string[]> {
  const rows = await db
    .selectFrom('application_features')
    .where('feature_name', '=', feature)
    .select('app_name as appName')
    .distinct()
    .orderBy('app_name')
    .execute();
  return rows.map(({ appName }) => appName);
}

/** Newest first. */
export const listHours = (db: Db, feature: string, since: Date, limit: number) =>
  db
    .selectFrom('usage_hours as usage')
    .where('usage.feature_name', '=', feature)
    .where('usage.hour', '>=', since)
    .select([
      'usage.feature_name as featureName',
      'usage.app_name as appName',
      'usage.environment',
      'usage.hour',
      'usage.yes',
      'usage.no',
      sql<Record<string, number> | null>`(
        select json_object_agg(v.variant, v.count order by v.variant) from usage_variant_hours v
        where v.feature_name = usage.feature_name and v.hour = usage.hour
          and v.environment = usage.environment and v.app_name = usage.app_name)`.as('variants'),
    ])
    .orderBy('usage.hour', 'desc')
    .orderBy('usage.environment')
    .orderBy('usage.app_name')
    .limit(limit)
    .execute();
