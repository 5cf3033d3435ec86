import { type RawBuilder, sql } from 'kysely';
import { line, lines, milliseconds, quoted } from './text.ts';

/**
 * What the living features of a project are made of, table by table, in no order; null where there is
 * nothing. A feature and an environment are numbers: their places, which begin at 0.
 */
export interface FeatureLines {
  /** Feature, name, JSON with a comma before it up to when it was made, that, id and name (JSON) of its creator. */
  readonly heads: string | null;
  /** Environment, and the features that are on in it, with blanks between them. */
  readonly switched: string | null;
  /** Environment, and when features were last seen in it: feature, milliseconds, feature, milliseconds … */
  readonly seen: string | null;
  /** Environment, feature, JSON of variants; only where there are any. */
  readonly varied: string | null;
  /** Environment, feature, disabled (1, else 0), JSON up to the segments, place, when it was made, id. */
  readonly strategies: string | null;
  /** Id of a strategy, and its segments with commas between them. */
  readonly segments: string | null;
  /** By type and value: JSON of the tag, and the features with blanks between them. */
  readonly tags: string | null;
  /** By child and parent: child, name of the child, name of the parent, JSON of the dependency. */
  readonly dependencies: string | null;
  /** Of every stage that was entered: feature, stage, when, and JSON of its status where it has one. */
  readonly lifecycles: string | null;
  /** Feature, id and name (JSON) of somebody else than its creator, in the order in which they came. */
  readonly authors: string | null;
}

/**
 * The living features, the environments, and who else had to do with each feature. Names as text and back,
 * because the planner takes that for a thousand rows; where tables have no statistics yet it expects one,
 * and looks everything up one by one.
 */
export const livingCtes = (project: string): RawBuilder<unknown> => sql`
  living as materialized (
    select f.name, f.created_by_user_id as creator, hit.place::int - 1 as place
    from string_to_table(array_to_string(array(
      select name from features where project = ${project} and archived_at is null order by name
    ), ' '), ' ') with ordinality as hit(name, place)
    join features f on f.name = hit.name
  ),
  surroundings as materialized (
    select e.name, e.type, e.sort_order, own.default_strategy,
      row_number() over (order by e.sort_order, e.name)::int - 1 as place
    from project_environments own join environments e on e.name = own.environment
    where own.project = ${project}
  ),
  conditions as materialized (
    select here.place,
      string_agg(living.place::text, ' ') filter (where s.enabled) as switched,
      string_agg(living.place || ' ' || ${milliseconds('s.last_seen_at')}, ' ')
        filter (where s.last_seen_at is not null) as seen,
      sum(${milliseconds('s.last_seen_at')}) as seen_sum,
      string_agg(here.place || E'\\t' || living.place || E'\\t' || s.variants, E'\\n')
        filter (where s.variants::text <> '[]') as varied
    from feature_environments s join living on living.name = s.feature_name
    join surroundings here on here.name = s.environment
    group by here.place
  ),
  spoken as materialized (
    select living.place, living.name, own.author, own.first, own.last
    from living cross join lateral (
      select e.created_by_user_id as author, min(e.id) as first, max(e.id) as last
      from events e where e.feature_name = living.name group by e.created_by_user_id
    ) own
    where own.author <> living.creator
  ),
  namesakes as materialized (
    select living.name, gone.id from living cross join lateral (
      select max(e.id) as id from events e
      where e.feature_name = living.name and e.type = 'feature-deleted' group by e.feature_name
    ) gone
  )`;

const title = sql`coalesce(',"title":' || ${quoted('g.title')}, '')`;

const ofLiving = (table: string, key: string) =>
  sql.raw(`from ${table} join living on living.name = ${key}`);

const inConditions = (column: string) => sql.raw(`from conditions where ${column} is not null`);

/** In groups: to append one part after the other took a tenth longer, as all before it is copied each time. */
const strategyLine = sql<string>`
  (here.place || E'\\t' || living.place || case when g.disabled then E'\\t1\\t' else E'\\t0\\t' end)
  || ('{"id":"' || g.id || '","featureName":"' || g.feature_name || '","name":"' || g.name || '"')
  || (${title} || case when g.disabled then ',"disabled":true' else ',"disabled":false' end)
  || (',"sortOrder":' || g.sort_order || ',"constraints":')
  || (g.constraints || ',"variants":' || g.variants || ',"parameters":' || g.parameters)
  || (',"segments":[' || E'\\t' || g.sort_order || E'\\t' || ${milliseconds('g.created_at')} || E'\\t' || g.id)`;

/** The columns of a statement with these: each table is read by itself. */
export const featureLines: RawBuilder<FeatureLines> = sql`
  ${lines(
    line(
      sql`living.place`,
      sql`f.name`,
      sql`',{"name":"' || f.name || '","type":' || ${quoted('f.type')}
        || ',"description":' || ${quoted('f.description')} || ',"archived":false,"stale":' || f.stale
        || ',"impressionData":' || f.impression_data || ',"createdAt":"'`,
      milliseconds('f.created_at'),
      sql`f.created_by_user_id`,
      quoted('f.created_by'),
    ),
    undefined,
    ofLiving('features f', 'f.name'),
  )} as heads,
  ${lines(line(sql`place`, sql`switched`), undefined, inConditions('switched'))} as switched,
  ${lines(line(sql`place`, sql`seen`), undefined, inConditions('seen'))} as seen,
  ${lines(sql`varied`, undefined, inConditions('varied'))} as varied,
  ${lines(
    strategyLine,
    undefined,
    sql`from feature_strategies g join living on living.name = g.feature_name
      join surroundings here on here.name = g.environment`,
  )} as strategies,
  ${lines(
    line(sql`own.id`, sql`own.segments`),
    undefined,
    sql`from (
      select g.id, string_agg(link.segment_id::text, ',' order by link.segment_id) as segments
      ${ofLiving('feature_strategies g', 'g.feature_name')}
      join feature_strategy_segments link on link.strategy_id = g.id group by g.id
    ) own`,
  )} as segments,
  ${lines(
    line(
      sql`'{"type":' || ${quoted('own.type')} || ',"value":' || ${quoted('own.value')} || '}'`,
      sql`own.features`,
    ),
    sql`own.type, own.value`,
    sql`from (
      select t.type, t.value, string_agg(living.place::text, ' ') as features
      ${ofLiving('feature_tags t', 't.feature_name')} group by t.type, t.value
    ) own`,
  )} as tags,
  ${lines(
    line(
      sql`living.place`,
      sql`d.child`,
      sql`d.parent`,
      sql`'{"feature":' || ${quoted('d.parent')} || ',"enabled":' || d.enabled
        || ',"variants":' || ${quoted('d.variants')} || '}'`,
    ),
    sql`d.child, d.parent`,
    ofLiving('feature_dependencies d', 'd.child'),
  )} as dependencies,
  ${lines(
    line(
      sql`living.place`,
      sql`c.stage`,
      milliseconds('c.entered_at'),
      sql`coalesce(${quoted('c.status')}, '')`,
    ),
    undefined,
    ofLiving('feature_lifecycles c', 'c.feature_name'),
  )} as lifecycles,
  ${lines(
    line(sql`a.place`, sql`a.author`, quoted('e.created_by')),
    sql`a.first`,
    sql`from (
      select spoken.place, spoken.author, spoken.last,
        case when namesakes.id is null then spoken.first else (
          select min(id) from events where feature_name = spoken.name
            and created_by_user_id = spoken.author and id > namesakes.id
        ) end as first
      from spoken left join namesakes on namesakes.name = spoken.name
      where spoken.last > coalesce(namesakes.id, 0)
    ) a join events e on e.id = a.last`,
  )} as authors`;
