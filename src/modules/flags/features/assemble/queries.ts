import { sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';
import type { FeatureNaming, LinkTemplate } from '../../../catalogue/projects/index.ts';
import type { Strategy } from '../feature-schema.ts';
import type { LockedFeature } from '../lock.ts';
import { type Owner, shownName } from '../owner/queries.ts';
import { countAll, type TakenName, takenNames } from '../queries.ts';
import type { StrategyInEnvironment } from '../strategies/read/queries.ts';
import type { Variant } from '../variants/variant-schema.ts';
import type { Creator } from './feature-spec.ts';

export interface TargetProjectRow {
  readonly archived: boolean;
  readonly featureLimit: number | null;
  readonly featureNaming: FeatureNaming | undefined;
  readonly linkTemplates: readonly LinkTemplate[];
  /** In their order. */
  readonly environments: readonly {
    readonly name: string;
    readonly type: string;
    readonly sortOrder: number;
  }[];
  /** The actor as an owner, if that is a user. */
  readonly caller: Owner | null;
  /** Those of the wanted names that features have. */
  readonly taken: readonly TakenName[];
  /** Those of the wanted feature types that exist. */
  readonly types: readonly string[];
  /** Those of the wanted tag types that exist. */
  readonly tagTypes: readonly string[];
  /** Active features of all projects. 0 while there are too few to matter. */
  readonly all: number;
}

interface TargetProjectLookup {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly tagTypes: readonly string[];
  /** Features are not counted while there are fewer. */
  readonly countFrom: number;
}

/**
 * Locks the project against archiving and reads everything else that decides about new features, in one
 * statement, because features are created more often than anything else is changed. A statement that
 * had to wait for a change of the project has read everything else as it was before: it is repeated.
 */
export async function holdTargetProject(
  tx: Tx,
  project: string,
  lookup: TargetProjectLookup,
): Promise<TargetProjectRow | undefined> {
  const { names, types, tagTypes, countFrom } = lookup;
  const { rows } = await sql<
    TargetProjectRow & { featureNaming: FeatureNaming | null; outdated: boolean }
  >`
    select p.xmin <> (select seen.xmin from projects seen where seen.id = p.id) as outdated,
      p.archived_at is not null as archived, p.feature_limit as "featureLimit",
      p.link_templates as "linkTemplates",
      case when p.feature_naming_pattern is not null then json_strip_nulls(json_build_object(
        'pattern', p.feature_naming_pattern, 'example', p.feature_naming_example,
        'description', p.feature_naming_description)) end as "featureNaming",
      (
        select coalesce(json_agg(json_build_object(
          'name', e.name, 'type', e.type, 'sortOrder', e.sort_order) order by e.sort_order, e.name), '[]')
        from project_environments pe join environments e on e.name = pe.environment
        where pe.project = p.id
      ) as environments,
      (
        select json_build_object('type', 'user', 'id', u.id, 'name', ${shownName})
        from users u where u.id = ${tx.actor.id} and u.kind = 'person' and u.deleted_at is null
      ) as caller,
      ${takenNames(names)} as taken,
      array(select t.id from feature_types t where t.id = any(${types}::text[])) as types,
      array(select t.name from tag_types t where t.name = any(${tagTypes}::text[])) as "tagTypes",
      ${countAll(countFrom)} as all
    from projects p where p.id = ${project}
    for key share of p`.execute(tx.db);
  const [row] = rows;
  if (row?.outdated) return holdTargetProject(tx, project, lookup);
  return row && { ...row, featureNaming: row.featureNaming ?? undefined };
}

// Every insert sends its rows in one or two parameters: 500 features can have more than the 65,535 values of a statement.

/**
 * Inserts features, each in the first stage of its lifecycle. In the order of their names, so that two
 * transactions with names in common cannot wait for each other.
 */
export const insertFeatures = (
  tx: Tx,
  features: readonly (Omit<LockedFeature, 'tags' | 'archivedAt'> & {
    readonly createdBy?: Creator | undefined;
  })[],
) =>
  tx.db
    .with('created', (db) =>
      db
        .insertInto('features')
        .columns([
          ...(['name', 'project', 'type', 'description', 'impression_data', 'stale'] as const),
          ...(['created_at', 'created_by', 'created_by_user_id'] as const),
          ...(['owner_user_id', 'owner_group_id', 'expires_at'] as const),
        ])
        .expression(
          sql`select name, project, type, description, "impressionData", stale, "createdAt",
              coalesce("createdBy" ->> 'name', ${tx.actor.name}),
              coalesce(("createdBy" ->> 'id')::integer, ${tx.actor.id}::integer),
              case when owner ->> 'type' = 'user' then (owner ->> 'id')::integer end,
              case when owner ->> 'type' = 'group' then (owner ->> 'id')::integer end, "expiresAt"
            from json_to_recordset(${JSON.stringify(features)}) added(name text, project text, type text,
              description text, "impressionData" boolean, stale boolean, "createdAt" timestamptz,
              "createdBy" json, owner json, "expiresAt" timestamptz)
            order by name`,
        )
        .returning(['name', 'created_at']),
    )
    .insertInto('feature_lifecycles')
    .columns(['feature_name', 'stage', 'entered_at'])
    .expression(sql`select name, 'initial', created_at from created`)
    .execute();

export interface NewState {
  readonly featureName: string;
  readonly environment: string;
  readonly enabled: boolean;
  readonly variants: readonly Variant[];
}

export const insertStates = (tx: Tx, states: readonly NewState[]) =>
  tx.db
    .insertInto('feature_environments')
    .columns(['feature_name', 'environment', 'enabled', 'variants'])
    .expression(
      sql`select * from json_to_recordset(${JSON.stringify(states)})
        added("featureName" text, environment text, enabled boolean, variants json)`,
    )
    .execute();

export type NewStrategy = StrategyInEnvironment & { readonly createdAt: Date };

/** They become younger than those that their features have, also if another request began earlier. */
export const insertStrategies = (tx: Tx, strategies: readonly NewStrategy[]) =>
  tx.db
    .insertInto('feature_strategies')
    .columns([
      ...(['id', 'feature_name', 'environment', 'name', 'title', 'disabled'] as const),
      ...(['sort_order', 'parameters', 'constraints', 'variants', 'created_at'] as const),
    ])
    .expression(
      sql`select id, "featureName", environment, name, title, disabled, "sortOrder", parameters, constraints, variants,
          "createdAt" + greatest(interval '0', (
            select max(created_at) from feature_strategies existing
            where existing.feature_name = "featureName" and existing.environment = added.environment
          ) + interval '1 ms' - min("createdAt") over (partition by "featureName", environment))
        from json_to_recordset(${JSON.stringify(strategies)}::json) added(id text, "featureName" text,
          environment text, name text, title text, disabled boolean, "sortOrder" integer, parameters json,
          constraints json, variants json, "createdAt" timestamptz)`,
    )
    .execute();

/** The strategies have no segments yet. */
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
    .expression(
      sql`select * from unnest(${pairs.map(({ id }) => id)}::text[],
        ${pairs.map(({ segment }) => segment)}::integer[])`,
    )
    .execute();
};
