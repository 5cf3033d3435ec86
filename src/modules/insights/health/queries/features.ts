import { type RawBuilder, sql } from 'kysely';
import { line, lines, milliseconds, quoted } from './text.ts';

/**
 * What the living features of a project are made of, table by table, in no order; null where there is
 * nothing. A feature is a number: its place, which begins at 0. An environment is named, also one that the project
 * does not have any more.
 */
export interface FeatureLines {
  /**
   * Feature, name, type, description (JSON), whether it is stale, and has impression data, when it was made, id and
   * name (JSON) of its creator.
   */
  readonly heads: string | null;
  /** For how many days features of each type live; null: for ever. */
  readonly lifetimes: Readonly<Record<string, number | null>>;
  /** What people said of features: feature, whether it is permanent, until when it was snoozed (empty: not). */
  readonly reviews: string | null;
  /** Environment, and the features that are on in it, with blanks between them. */
  readonly switched: string | null;
  /** Environment, and when features were last seen in it: feature, milliseconds, feature, milliseconds … */
  readonly seen: string | null;
  /** Environment, feature, JSON of variants; only where there are any. */
  readonly varied: string | null;
  /** Environment, feature, disabled (1, else 0), JSON up to the segments, when it was made. */
  readonly strategies: string | null;
  /** Id of a strategy, and its segments with commas between them. */
  readonly segments: string | null;
  /** By type and value: JSON of the tag, and the features with blanks between them. */
  readonly tags: string | null;
  /** By child and parent: child, name of the child, name of the parent, JSON of the dependency. */
  readonly dependencies: string | null;
  /** Of every stage that was entered: feature, stage, when, and JSON of its status where it has one. */
  readonly lifecycles: string | null;
  /** Feature, id and name (JSON) of somebody who had to do with it, in the order in which they came. */
  readonly authors: string | null;
}

/**
 * The living features, the environments, and what each feature is in each of them.
 *
 * The numbers change nothing but what the planner expects. Without statistics it would expect one feature, and look
 * everything up one by one; how many numbers there are it knows. Joined in full with twice as many as there should be
 * features, by two conditions that it takes for rare, and halved by a CASE, of which it believes nothing, it expects
 * as many features as we do (`test/health/report-plan.test.ts`).
 */
export const livingCtes = (project: string, expected: number): RawBuilder<unknown> => sql`
  living as materialized (
    select own.name, own.place
    from (
      select name, row_number() over (order by name)::int - 1 as place
      from features where project = ${project} and archived_at is null
    ) own
    full join generate_series(1, ${2 * expected}::int) number on number = own.place and number + 0 = own.place + 0
    where case when own.name is null then false else true end
  ),
  surroundings as materialized (
    select e.name, e.type, e.sort_order, own.default_strategy,
      row_number() over (order by e.sort_order, e.name)::int - 1 as place
    from project_environments own join environments e on e.name = own.environment
    where own.project = ${project}
  ),
  conditions as materialized (
    select s.environment,
      string_agg(living.place::text, ' ') filter (where s.enabled) as switched,
      string_agg(living.place || ' ' || ${milliseconds('s.last_seen_at')}, ' ')
        filter (where s.last_seen_at is not null) as seen,
      string_agg(s.environment || E'\\t' || living.place || E'\\t' || s.variants, E'\\n')
        filter (where s.variants::text <> '[]') as varied
    from feature_environments s join living on living.name = s.feature_name
    where s.enabled or s.last_seen_at is not null or s.variants::text <> '[]'
    group by s.environment
  )`;

const ofLiving = (table: string, key: string) =>
  sql.raw(`from ${table} join living on living.name = ${key}`);

const inConditions = (column: string) => sql.raw(`from conditions where ${column} is not null`);

const title = sql`coalesce(',"title":' || ${quoted('g.title')}, '')`;

/** In groups: to append one part after the other took a tenth longer, as all before it is copied each time. */
const strategyLine = sql<string>`
  (g.environment || E'\\t' || living.place || case when g.disabled then E'\\t1\\t' else E'\\t0\\t' end)
  || ('{"id":"' || g.id || '","featureName":"' || g.feature_name || '","name":"' || g.name || '"')
  || (${title} || case when g.disabled then ',"disabled":true' else ',"disabled":false' end)
  || (',"sortOrder":' || g.sort_order || ',"constraints":')
  || (g.constraints || ',"variants":' || g.variants || ',"parameters":' || g.parameters)
  || (E',"segments":[\\t' || ${milliseconds('g.created_at')})`;

/** Half of all that is read: for a row of its own. */
export const strategyLines: RawBuilder<string | null> = lines(
  strategyLine,
  undefined,
  ofLiving('feature_strategies g', 'g.feature_name'),
);

/** The columns of a statement with these: each table is read by itself. */
export const featureLines: RawBuilder<Omit<FeatureLines, 'strategies'>> = sql`
  ${lines(
    line(
      sql`living.place`,
      sql`f.name`,
      sql`f.type`,
      quoted("coalesce(f.description, '')"),
      sql`f.stale`,
      sql`f.impression_data`,
      milliseconds('f.created_at'),
      sql`f.created_by_user_id`,
      quoted('f.created_by'),
    ),
    undefined,
    ofLiving('features f', 'f.name'),
  )} as heads,
  (select json_object_agg(id, lifetime_days) from feature_types) as lifetimes,
  ${lines(
    line(
      sql`living.place`,
      sql`review.permanent`,
      sql`coalesce(${milliseconds('review.snoozed_until')}::text, '')`,
    ),
    undefined,
    ofLiving('feature_reviews review', 'review.feature_name'),
  )} as reviews,
  ${lines(line(sql`environment`, sql`switched`), undefined, inConditions('switched'))} as switched,
  ${lines(line(sql`environment`, sql`seen`), undefined, inConditions('seen'))} as seen,
  ${lines(sql`varied`, undefined, inConditions('varied'))} as varied,
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
    line(sql`living.place`, sql`a.user_id`, quoted('a.name')),
    sql`a.first_id`,
    ofLiving('feature_authors a', 'a.feature_name'),
  )} as authors`;
