import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { maxFeatures, type Uses } from './uses-schema.ts';

interface Use {
  readonly thing: string;
  readonly feature: string | null;
  readonly project: string | null;
  readonly segment: number | null;
  readonly environment: string | null;
}

/** The names of context fields in the parts of a strategy. */
const fieldsOf = (constraints: string, parameters: string, variants: string) => sql<{
  thing: string;
}>`(
  select each->>'contextName' from json_array_elements(${sql.raw(constraints)}) each
  union all select ${sql.raw(parameters)}->>'stickiness'
  union all select each->>'stickiness' from json_array_elements(${sql.raw(variants)}) each
)`;

/** What uses each thing of a kind: a feature, a project itself, or a segment. */
const uses = {
  segment: sql<Use>`(
    select used.segment_id::text as thing, strategy.feature_name as feature, null as project,
      null::int as segment, strategy.environment
    from feature_strategy_segments used
    join feature_strategies strategy on strategy.id = used.strategy_id
    union all
    select used.id, null, pe.project, null, pe.environment
    from project_environments pe
    cross join json_array_elements_text(pe.default_strategy->'segments') as used(id)
  )`,
  contextField: sql<Use>`(
    select used.thing, strategy.feature_name as feature, null as project,
      null::int as segment, strategy.environment
    from feature_strategies strategy
    cross join lateral ${fieldsOf('strategy.constraints', 'strategy.parameters', 'strategy.variants')} used(thing)
    union all
    select each->>'stickiness', state.feature_name, null, null, state.environment
    from feature_environments state
    cross join json_array_elements(state.variants) each
    union all
    select each->>'contextName', null, null, segments.id, null
    from segments
    cross join json_array_elements(segments.constraints) each
    union all
    select used.thing, null, pe.project, null, pe.environment
    from project_environments pe
    cross join lateral ${fieldsOf(
      "pe.default_strategy->'constraints'",
      "pe.default_strategy->'parameters'",
      "pe.default_strategy->'variants'",
    )} used(thing)
    union all
    select projects.default_stickiness, null, projects.id, null, null from projects
  )`,
  strategyType: sql<Use>`(
    select strategy.name as thing, strategy.feature_name as feature, null as project,
      null::int as segment, strategy.environment
    from feature_strategies strategy
    union all
    select pe.default_strategy->>'name', null, pe.project, null, pe.environment
    from project_environments pe
  )`,
  tagType: sql<Use>`(
    select tag.type as thing, tag.feature_name as feature, null as project,
      null::int as segment, null as environment
    from feature_tags tag
  )`,
  environment: sql<Use>`(
    select state.environment as thing, state.feature_name as feature, null as project,
      null::int as segment, null as environment
    from feature_environments state
    where state.enabled
    union all
    select pe.environment, null, pe.project, null, null from project_environments pe
  )`,
} satisfies Record<string, RawBuilder<Use>>;

export type Kind = keyof typeof uses;

const within = (sees: Actor['sees'], project: string) =>
  sees === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(project)} = any(${[...sees]}::text[])`;

// Each list says which column it needs: PostgreSQL then leaves out the parts of the union in which that is always null.
const listFeatures = (db: Db, sees: Actor['sees'], kind: Kind, thing: string) =>
  db
    .selectFrom(uses[kind].as('used'))
    .innerJoin('features', 'features.name', 'used.feature')
    // Without an environment, such as for tags, the feature uses it in all of them.
    .leftJoin('feature_environments as state', (join) =>
      join
        .onRef('state.feature_name', '=', 'used.feature')
        .on(({ eb, ref, or }) =>
          or([
            eb('used.environment', 'is', null),
            eb('state.environment', '=', ref('used.environment')),
          ]),
        ),
    )
    .where('used.feature', 'is not', null)
    .where('used.thing', '=', thing)
    .where(within(sees, 'features.project'))
    .groupBy('features.name')
    .select([
      'features.name',
      'features.project',
      sql<boolean>`features.archived_at is not null`.as('archived'),
      sql<Uses['features'][number]['environments']>`coalesce(
        jsonb_agg(distinct jsonb_build_object(
          'name', used.environment, 'enabled', coalesce(state.enabled, false)
        )) filter (where used.environment is not null),
        '[]'
      )`.as('environments'),
      sql<number>`(count(*) over ())::int`.as('total'),
      sql<number>`(count(
        case when features.archived_at is null and bool_or(state.enabled) then 1 end
      ) over ())::int`.as('totalEnabled'),
    ])
    .orderBy(sql`features.archived_at is not null`)
    .orderBy('features.project')
    .orderBy('features.name')
    .limit(maxFeatures)
    .execute();

const listProjects = (db: Db, sees: Actor['sees'], kind: Kind, thing: string) =>
  db
    .selectFrom(uses[kind].as('used'))
    .innerJoin('projects', 'projects.id', 'used.project')
    .where('used.project', 'is not', null)
    .where('used.thing', '=', thing)
    .where(within(sees, 'projects.id'))
    .groupBy('projects.id')
    .select([
      'projects.id',
      'projects.name',
      sql<boolean>`projects.archived_at is not null`.as('archived'),
      sql<string[]>`coalesce(
        array_agg(distinct used.environment) filter (where used.environment is not null), '{}'
      )`.as('environments'),
    ])
    .orderBy(sql`projects.archived_at is not null`)
    .orderBy('projects.id')
    .execute();

const listSegments = (db: Db, sees: Actor['sees'], kind: Kind, thing: string) =>
  db
    .selectFrom(uses[kind].as('used'))
    .innerJoin('segments', 'segments.id', 'used.segment')
    .where('used.segment', 'is not', null)
    .where('used.thing', '=', thing)
    .where(({ or, eb }) =>
      or([eb('segments.project', 'is', null), within(sees, 'segments.project')]),
    )
    .select(['segments.id', 'segments.name', 'segments.project'])
    .distinct()
    .orderBy('segments.name')
    .execute();

/** Where something is used, in projects that the actor may see. */
export async function listUses(
  db: Db,
  { sees }: Pick<Actor, 'sees'>,
  kind: Kind,
  thing: string,
): Promise<Uses> {
  const [features, projects, segments] = await Promise.all([
    listFeatures(db, sees, kind, thing),
    listProjects(db, sees, kind, thing),
    listSegments(db, sees, kind, thing),
  ]);
  return {
    features: features.map(({ total, totalEnabled, ...feature }) => feature),
    featureCount: features[0]?.total ?? 0,
    enabledFeatureCount: features[0]?.totalEnabled ?? 0,
    projects,
    segments: segments.map(({ project, ...segment }) => ({
      ...segment,
      ...(project !== null && { project }),
    })),
  };
}
