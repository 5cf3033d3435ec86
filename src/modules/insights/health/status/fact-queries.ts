import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { line, lines, milliseconds } from '../queries/text.ts';
import type { Facts, Terms } from './reasons.ts';

/**
 * What is stored of the features of a project, table by table, in no order; null where there is nothing.
 * Put together by the database, and without statistics, a thousand features took 4 s.
 */
export interface FactRows {
  /** Name, type, lifetime, made, archived, stale, completed; empty for what is not. */
  readonly heads: string | null;
  /** Feature, environment, when an SDK last asked. */
  readonly sightings: string | null;
  /** Feature, production environment in which it is on. */
  readonly switched: string | null;
  /** Feature, production environment, whether a strategy lets everybody pass, what those stick to. */
  readonly strategies: string | null;
  /** Features that depend on others, and those that code names, with blanks between them. */
  readonly children: string;
  readonly inCode: string;
  readonly reviews: readonly ({ readonly feature: string } & NonNullable<Facts['review']>)[];
  readonly scans: Terms['scans'];
}

/** Living, or asked for by SDKs after it was archived. */
const concerned = (
  project: string,
) => sql`f.project = ${project} and (f.archived_at is null or exists (
  select from feature_environments s
  where s.feature_name = f.name and s.last_seen_at > f.archived_at))`;

const living = (project: string) => sql`f.project = ${project} and f.archived_at is null`;

const inProduction = (project: string, column: string) => sql`${sql.raw(column)} in (
  select own.environment from project_environments own
  join environments e on e.name = own.environment
  where own.project = ${project} and e.type = 'production')`;

/** A strategy `g` that everybody passes, at least of those who have what it sticks to. */
const letsAllPass = sql`(
  not g.disabled and g.constraints::text = '[]'
  and (g.name = 'default' or g.name = 'flexibleRollout' and g.parameters->>'rollout' = '100')
  and not exists (select from feature_strategy_segments link where link.strategy_id = g.id))`;

/** What a rollout `g` asks of a context; empty: nothing, which comes before all else. */
const stickiness = sql`case when g.name = 'flexibleRollout'
  and coalesce(g.parameters->>'stickiness', 'default') not in ('default', 'random')
  then g.parameters->>'stickiness' else '' end`;

const blanked = (column: string, rest: RawBuilder<unknown>) =>
  sql`(select coalesce(string_agg(distinct ${sql.raw(column)}, ' '), '') ${rest})`;

const optional = (column: string) => sql`coalesce(${milliseconds(column)}::text, '')`;

const reviews = (project: string) => sql`(
  select coalesce(json_agg(json_build_object(
    'feature', r.feature_name, 'permanent', r.permanent,
    'snoozedUntil', ${milliseconds('r.snoozed_until')}, 'reason', r.reason,
    'reviewedBy', r.reviewed_by, 'reviewedAt', ${milliseconds('r.reviewed_at')})), '[]')
  from features f join feature_reviews r on r.feature_name = f.name where ${concerned(project)})`;

/** Of a living project, one statement. */
export async function findFactRows(db: Db, project: string): Promise<FactRows | undefined> {
  const { rows } = await sql<FactRows>`
    select ${lines(
      line(
        sql`f.name`,
        sql`f.type`,
        sql`coalesce(t.lifetime_days::text, '')`,
        milliseconds('f.created_at'),
        optional('f.archived_at'),
        sql`f.stale`,
        optional('c.entered_at'),
      ),
      undefined,
      sql`from features f join feature_types t on t.id = f.type
        left join feature_lifecycles c on c.feature_name = f.name and c.stage = 'completed'
        where ${concerned(project)}`,
    )} as heads,
    ${lines(
      line(sql`s.feature_name`, sql`s.environment`, milliseconds('s.last_seen_at')),
      undefined,
      sql`from features f join feature_environments s on s.feature_name = f.name
        where f.project = ${project} and s.last_seen_at is not null`,
    )} as sightings,
    ${lines(
      line(sql`s.feature_name`, sql`s.environment`),
      undefined,
      sql`from features f join feature_environments s on s.feature_name = f.name
        where ${living(project)} and s.enabled and ${inProduction(project, 's.environment')}`,
    )} as switched,
    ${lines(
      line(sql`own.feature`, sql`own.environment`, sql`own.everybody`, sql`own.stickiness`),
      undefined,
      sql`from (
        select each.feature, each.environment, bool_or(each.passed) as everybody,
          coalesce(min(each.stickiness) filter (where each.passed), '') as stickiness
        from (
          select g.feature_name as feature, g.environment, ${letsAllPass} as passed,
            ${stickiness} as stickiness
          from features f join feature_strategies g on g.feature_name = f.name
          where ${living(project)} and ${inProduction(project, 'g.environment')}
          offset 0
        ) each
        group by each.feature, each.environment
      ) own`,
    )} as strategies,
    ${blanked(
      'd.child',
      sql`from features f join feature_dependencies d on d.child = f.name where ${living(project)}`,
    )} as children,
    ${blanked(
      'r.feature_name',
      sql`from features f join code_references r on r.feature_name = f.name and r.project = f.project
        where ${living(project)}`,
    )} as "inCode",
    ${reviews(project)} as reviews,
    (
      select coalesce(json_agg(${milliseconds('scanned_at')}), '[]')
      from code_scans where code_scans.project = ${project}
    ) as scans
    from projects p where p.id = ${project} and p.archived_at is null`.execute(db);
  return rows[0];
}

/** After each of these somebody else may get a feature than before. */
const turnsOfAudience = [
  'feature-created',
  'feature-revived',
  'feature-project-change',
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-strategy-add',
  'feature-strategy-update',
  'feature-strategy-remove',
  'feature-dependency-removed',
  'feature-dependencies-removed',
] as const;

/** What the log has to say of a project. */
interface LogRows {
  /** When, and by whom, each of the stale features was marked, or made so; null where that is gone. */
  readonly marks: readonly (Facts['marked'] | null)[];
  /** When something last changed who gets a feature in an environment; null where that is gone. */
  readonly turns: readonly (number | null)[];
  /** When the log begins: what it does not tell has been so at least since then. */
  readonly begin: number | null;
}

interface LogQuestion {
  readonly stale: readonly string[];
  readonly fullyOn: readonly { readonly feature: string; readonly environment: string }[];
}

/** By the index of features: with that of types, and without statistics, each look took 10 ms. */
const isOneOf = (types: readonly string[]) =>
  sql`array_position(${[...types]}::text[], e.type) is not null`;

/** In the order of the question. */
export async function readLog(db: Db, { stale, fullyOn }: LogQuestion): Promise<LogRows> {
  const { rows } = await sql<LogRows>`
    select (
      select coalesce(json_agg((
        select json_build_object('by', e.created_by, 'at', ${milliseconds('e.created_at')})
        from events e
        where e.feature_name = asked.name
          and ${isOneOf(['feature-stale-on', 'feature-created'])}
        order by e.id desc limit 1
      ) order by asked.place), '[]')
      from unnest(${stale}::text[]) with ordinality asked(name, place)
    ) as marks,
    (
      select coalesce(json_agg((
        select ${milliseconds('e.created_at')} from events e
        where e.feature_name = asked.name
          and coalesce(e.environment, asked.environment) = asked.environment
          and ${isOneOf(turnsOfAudience)}
        order by e.id desc limit 1
      ) order by asked.place), '[]')
      from unnest(
        ${fullyOn.map(({ feature }) => feature)}::text[],
        ${fullyOn.map(({ environment }) => environment)}::text[]
      ) with ordinality asked(name, environment, place)
    ) as turns,
    (select ${milliseconds('created_at')} from events order by id limit 1) as begin`.execute(db);
  return rows[0] as LogRows;
}
