import { type RawBuilder, sql } from 'kysely';
import { instantText, line, lines, milliseconds, quoted } from './text.ts';

/**
 * What the living features of a project are made of, table by table, in no order; null where there is
 * nothing. A feature and an environment are numbers: their places, which begin at 0.
 */
export interface FeatureLines {
  /** Feature, name, JSON of the fields of its own row, when it was made, id and name (JSON) of its creator. */
  readonly heads: string | null;
  /** Environment, and the features that are on in it and have nothing else there, with blanks between them. */
  readonly switched: string | null;
  /** Where there is more to say: environment, feature, enabled, JSON of variants, last seen. */
  readonly states: string | null;
  /** Environment, feature, disabled, place, when it was made, id, JSON up to the segments. */
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
  spoken as materialized (
    select living.place, living.name, e.created_by_user_id as author,
      min(e.id) as first, max(e.id) as last
    from events e join living on living.name = e.feature_name
    where e.created_by_user_id <> living.creator
    group by living.place, living.name, e.created_by_user_id
  ),
  namesakes as materialized (
    select feature_name as name, max(id) as id from events
    where type = 'feature-deleted' and feature_name is not null group by feature_name
  )`;

const title = sql`coalesce(',"title":' || ${quoted('g.title')}, '')`;
/** On or off is all that most have in an environment, and off is what they are without a row. */
const plain = sql`s.last_seen_at is null and s.variants::text = '[]'`;

const ofLiving = (table: string, key: string) =>
  sql.raw(`from ${table} join living on living.name = ${key}`);

const inSurroundings = (table: string, key: string) =>
  sql.raw(`from ${table} join living on living.name = ${key}.feature_name
    join surroundings here on here.name = ${key}.environment`);

/** The columns of a statement with these: each table is read by itself. */
export const featureLines: RawBuilder<FeatureLines> = sql`
  ${lines(
    line(
      sql`living.place`,
      sql`f.name`,
      sql`'"type":' || ${quoted('f.type')} || ',"description":' || ${quoted('f.description')}
        || ',"archived":false,"stale":' || f.stale || ',"impressionData":' || f.impression_data`,
      milliseconds('f.created_at'),
      sql`f.created_by_user_id`,
      quoted('f.created_by'),
    ),
    undefined,
    ofLiving('features f', 'f.name'),
  )} as heads,
  ${lines(
    line(sql`own.place`, sql`own.features`),
    undefined,
    sql`from (
      select here.place, string_agg(living.place::text, ' ') as features
      ${inSurroundings('feature_environments s', 's')} where s.enabled and ${plain} group by here.place
    ) own`,
  )} as switched,
  ${lines(
    line(
      sql`here.place`,
      sql`living.place`,
      sql`s.enabled`,
      sql`s.variants::text`,
      sql`coalesce(${instantText('s.last_seen_at')}, '')`,
    ),
    undefined,
    sql`${inSurroundings('feature_environments s', 's')} where not (${plain})`,
  )} as states,
  ${lines(
    line(
      sql`here.place`,
      sql`living.place`,
      sql`g.disabled`,
      sql`g.sort_order`,
      milliseconds('g.created_at'),
      sql`g.id`,
      sql`'{"id":"' || g.id || '","featureName":"' || g.feature_name || '","name":"' || g.name || '"'
        || ${title} || ',"disabled":' || g.disabled || ',"sortOrder":' || g.sort_order
        || ',"constraints":' || g.constraints || ',"variants":' || g.variants
        || ',"parameters":' || g.parameters || ',"segments":['`,
    ),
    undefined,
    inSurroundings('feature_strategies g', 'g'),
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
