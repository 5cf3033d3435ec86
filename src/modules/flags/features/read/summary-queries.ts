import { type RawBuilder, sql } from 'kysely';
import { instantText } from '../../../../platform/db/instant-text.ts';
import type { FoundFeature } from '../feature-schema.ts';
import { type Owner, ownerOf } from '../owner/queries.ts';
import { isPotentiallyStale, stageOrder } from './queries.ts';
import type { Targeting } from './rollout.ts';

/** The fields in the row of a feature, and those that only the search adds. */
type FeatureRow = Pick<
  FoundFeature,
  | 'name'
  | 'project'
  | 'type'
  | 'description'
  | 'archived'
  | 'archivedAt'
  | 'stale'
  | 'impressionData'
  | 'createdAt'
> & {
  readonly createdBy: { readonly id: number; readonly name: string };
  readonly owner: Owner | null;
  readonly expiresAt: string | null;
} & Partial<Pick<FoundFeature, 'dependencyType' | 'lifecycle' | 'potentiallyStale' | 'segments'>>;

/** The rows of several features, table by table. */
export interface SummaryRows {
  /** In the order of the list. */
  readonly features: readonly FeatureRow[];
  /** The environments of the features' projects, in their sort order. */
  readonly environments: readonly {
    readonly project: string;
    readonly name: string;
    readonly type: string;
    readonly sortOrder: number;
  }[];
  /**
   * The features that are configured in an environment or were requested by an SDK. One array for each column, because
   * there are many: an array for each feature took PostgreSQL half as long again.
   */
  readonly states: readonly {
    readonly environment: string;
    readonly features: readonly string[];
    readonly enabled: readonly boolean[];
    readonly variantCounts: readonly number[];
    readonly lastSeenAt: readonly (string | null)[];
  }[];
  /** The features with strategies, and whether one of them is enabled. */
  readonly strategies: readonly {
    readonly environment: string;
    readonly enabled: boolean;
    readonly features: readonly string[];
  }[];
  /** By type and value. */
  readonly tags: readonly {
    readonly feature: string;
    readonly type: string;
    readonly value: string;
  }[];
  readonly favorites: readonly string[];
  /** The enabled strategies, if they were requested. */
  readonly targeting?: readonly (Targeting & {
    readonly feature: string;
    readonly environment: string;
  })[];
}

const list = (rows: RawBuilder<unknown>) =>
  sql`(select coalesce(json_agg(row_to_json(each)), '[]') from (${rows}) each)`;

const inHits = sql`in (select name from hits)`;

/**
 * Returns the columns of a statement that reads the features in `hits` (name, position) for lists. Each table is read
 * separately, and the response is joined by name. Joined in SQL, 1,000 features took twice as long, and seconds without
 * planner statistics.
 */
export const summaryRows = (
  userId: number,
  more: RawBuilder<unknown> = sql``,
): RawBuilder<SummaryRows> => sql`
  ${list(sql`
    select f.name, f.project, f.type, f.description, f.archived_at is not null as archived,
      ${instantText('f.archived_at')} as "archivedAt", f.stale, f.impression_data as "impressionData",
      ${instantText('f.created_at')} as "createdAt",
      json_build_object('id', f.created_by_user_id, 'name', f.created_by) as "createdBy",
      ${ownerOf('f.name')} as owner, ${instantText('f.expires_at')} as "expiresAt" ${more}
    from hits join features f on f.name = hits.name
    order by hits.position`)} as features,
  ${list(sql`
    select pe.project, e.name, e.type, e.sort_order as "sortOrder"
    from project_environments pe join environments e on e.name = pe.environment
    where pe.project in (select f.project from hits join features f on f.name = hits.name)
    order by e.sort_order, e.name`)} as environments,
  ${list(sql`
    select s.environment, array_agg(s.feature_name) as features, array_agg(s.enabled) as enabled,
      array_agg(json_array_length(s.variants)) as "variantCounts",
      array_agg(${instantText('s.last_seen_at')}) as "lastSeenAt"
    from feature_environments s where s.feature_name ${inHits}
    group by s.environment`)} as states,
  ${list(sql`
    select targeted.environment, targeted.enabled, json_agg(targeted.feature_name) as features
    from (
      select s.feature_name, s.environment, bool_or(not s.disabled) as enabled
      from feature_strategies s where s.feature_name ${inHits}
      group by s.feature_name, s.environment
    ) targeted
    group by targeted.environment, targeted.enabled`)} as strategies,
  ${list(sql`
    select t.feature_name as feature, t.type, t.value
    from feature_tags t where t.feature_name ${inHits}
    order by t.type, t.value`)} as tags,
  array(
    select mine.feature_name from feature_favorites mine
    where mine.user_id = ${userId} and mine.feature_name ${inHits}
  ) as favorites`;

/** Columns that only the search reads: its pages are short, and each column costs a lookup. */
export const foundColumns = (now: Date) => sql`,
  ${isPotentiallyStale(now)} as "potentiallyStale",
  case
    when exists (select from feature_dependencies d where d.child = f.name) then 'child'
    when exists (select from feature_dependencies d where d.parent = f.name) then 'parent'
  end as "dependencyType",
  coalesce((
    select json_strip_nulls(json_build_object(
      'stage', c.stage, 'enteredStageAt', ${instantText('c.entered_at')}, 'status', c.status))
    from feature_lifecycles c where c.feature_name = f.name
    order by array_position(${stageOrder}, c.stage) desc limit 1
  ), json_build_object('stage', 'initial', 'enteredStageAt', ${instantText('f.created_at')})) as lifecycle,
  array(
    select distinct segments.name
    from feature_strategies s
    join project_environments pe on pe.project = f.project and pe.environment = s.environment
    join feature_strategy_segments link on link.strategy_id = s.id
    join segments on segments.id = link.segment_id
    where s.feature_name = f.name
    order by segments.name
  ) as segments`;

/** A further column of the search: who gets the features where they are enabled. */
export const targetingRows: RawBuilder<unknown> = sql`
  ${list(sql`
    select s.feature_name as feature, s.environment, s.name,
      coalesce(s.parameters ->> 'rollout', s.parameters ->> 'percentage') as share,
      json_array_length(s.constraints) > 0 or exists (
        select from feature_strategy_segments link where link.strategy_id = s.id) as restricted
    from feature_strategies s
    where s.feature_name ${inHits} and not s.disabled`)} as targeting`;

/**
 * Returns rows (name, position) of a query of ordered names. The conversion to text and back makes the planner expect a
 * thousand rows. Without statistics it expected one, and looked up every feature in every table: 18 ms instead of 11
 * for a list of 1,000.
 */
export const asHits = (namesInOrder: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select name, position
  from string_to_table(array_to_string(array(${namesInOrder}), ' '), ' ') with ordinality as hit(name, position)`;
