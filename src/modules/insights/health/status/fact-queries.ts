import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { createSlices } from '../../../../platform/slices.ts';
import type { Owner } from '../../../flags/features/index.ts';
import { milliseconds } from '../rating/queries.ts';
import type { Facts, Terms } from './reasons.ts';

export interface InEnvironment {
  readonly feature: string;
  readonly environment: string;
}

/**
 * The stored data of a project's features, table by table, unordered. Joined by the database without statistics, a
 * thousand features took 4 s.
 */
export interface FactRows {
  readonly features: readonly Pick<
    Facts,
    | ('name' | 'type' | 'lifetimeDays' | 'createdAt' | 'archivedAt' | 'expiresAt' | 'stale')
    | 'completedAt'
  >[];
  readonly owners: readonly (Owner & { readonly feature: string })[];
  /** When an SDK last requested it. */
  readonly sightings: readonly (InEnvironment & { readonly at: number })[];
  /** The production environments in which features are enabled. */
  readonly enabled: readonly InEnvironment[];
  /** The production environments in which features have strategies. */
  readonly strategies: readonly (InEnvironment & {
    /** Whether one of them matches every context. */
    readonly letsAllPass: boolean;
    /** The context field that such a strategy requires, or null. */
    readonly stickiness: string | null;
  })[];
  /** Features that depend on others. */
  readonly children: readonly string[];
  /** Features with code references. */
  readonly inCode: readonly string[];
  readonly reviews: readonly ({ readonly feature: string } & NonNullable<Facts['review']>)[];
  readonly scans: Terms['scans'];
}

/** Matches a feature `f` that is active, or that SDKs requested after it was archived. */
const concerned = (
  project: string,
) => sql`f.project = ${project} and (f.archived_at is null or exists (
  select from feature_environments s
  where s.feature_name = f.name and s.last_seen_at > f.archived_at))`;

const unarchived = (project: string) => sql`f.project = ${project} and f.archived_at is null`;

const inProduction = (project: string, column: string) => sql`${sql.raw(column)} in (
  select pe.environment from project_environments pe
  join environments e on e.name = pe.environment
  where pe.project = ${project} and e.type = 'production')`;

/** Matches a strategy `g` that holds for every context with its stickiness field. */
const letsAllPass = sql`(
  not g.disabled and g.constraints::text = '[]'
  and (g.name = 'default' or g.name = 'flexibleRollout' and g.parameters->>'rollout' = '100')
  and not exists (select from feature_strategy_segments link where link.strategy_id = g.id))`;

/** The context field that a rollout `g` requires; empty, which sorts first, for none. */
const stickiness = sql`case when g.name = 'flexibleRollout'
  and coalesce(g.parameters->>'stickiness', 'default') not in ('default', 'random')
  then g.parameters->>'stickiness' else '' end`;

/** As text: the driver would parse all lists of 10,000 features at once, which kept others waiting for 0.3 s. */
const list = (rows: RawBuilder<unknown>) =>
  sql`(select coalesce(json_agg(row_to_json(each)), '[]')::text from (${rows}) each)`;

const lists = ['features', 'owners', 'sightings', 'enabled', 'strategies', 'reviews'] as const;

type UnparsedRows = Omit<FactRows, (typeof lists)[number]> &
  Readonly<Record<(typeof lists)[number], string>>;

/** Finds the facts of an active project in one statement. */
export async function findFactRows(db: Db, project: string): Promise<FactRows | undefined> {
  const { rows } = await sql<UnparsedRows>`
    select ${list(sql`
      select f.name, f.type, t.lifetime_days as "lifetimeDays", ${milliseconds('f.created_at')} as "createdAt",
        ${milliseconds('f.archived_at')} as "archivedAt", f.stale, ${milliseconds('c.entered_at')} as "completedAt",
        ${milliseconds('f.expires_at')} as "expiresAt"
      from features f join feature_types t on t.id = f.type
      left join feature_lifecycles c on c.feature_name = f.name and c.stage = 'completed'
      where ${concerned(project)}`)} as features,
    ${list(sql`
      select o.feature_name as feature, o.type, o.id, o.name
      from features f join feature_owners o on o.feature_name = f.name
      where ${concerned(project)}`)} as owners,
    ${list(sql`
      select s.feature_name as feature, s.environment, ${milliseconds('s.last_seen_at')} as at
      from features f join feature_environments s on s.feature_name = f.name
      where f.project = ${project} and s.last_seen_at is not null`)} as sightings,
    ${list(sql`
      select s.feature_name as feature, s.environment
      from features f join feature_environments s on s.feature_name = f.name
      where ${unarchived(project)} and s.enabled and ${inProduction(project, 's.environment')}`)} as enabled,
    ${list(sql`
      select g.feature, g.environment, bool_or(g.passed) as "letsAllPass",
        nullif(min(g.stickiness) filter (where g.passed), '') as stickiness
      from (
        select g.feature_name as feature, g.environment, ${letsAllPass} as passed, ${stickiness} as stickiness
        from features f join feature_strategies g on g.feature_name = f.name
        where ${unarchived(project)} and ${inProduction(project, 'g.environment')}
        offset 0
      ) g
      group by g.feature, g.environment`)} as strategies,
    array(
      select distinct d.child
      from features f join feature_dependencies d on d.child = f.name where ${unarchived(project)}
    ) as children,
    array(
      select distinct r.feature_name
      from features f join code_references r on r.feature_name = f.name and r.project = f.project
      where ${unarchived(project)}
    ) as "inCode",
    ${list(sql`
      select r.feature_name as feature, r.permanent, ${milliseconds('r.snoozed_until')} as "snoozedUntil", r.reason,
        r.reviewed_by as "reviewedBy", ${milliseconds('r.reviewed_at')} as "reviewedAt"
      from features f join feature_reviews r on r.feature_name = f.name where ${concerned(project)}`)} as reviews,
    (
      select coalesce(json_agg(${milliseconds('scanned_at')}), '[]')
      from code_scans where code_scans.project = ${project}
    ) as scans
    from projects p where p.id = ${project} and p.archived_at is null`.execute(db);
  const [unparsed] = rows;
  if (!unparsed) return undefined;
  const slices = createSlices();
  const parsed: Record<string, unknown> = {};
  for (const name of lists) {
    parsed[name] = JSON.parse(unparsed[name]);
    if (slices.isOver()) await slices.pause();
  }
  return { ...unparsed, ...parsed } as unknown as FactRows;
}

/** Event types that may change which contexts get a feature. */
const audienceChanges = [
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

/** In the order of the input. */
interface LogRows {
  /** When, and by whom, each stale feature was marked or created as stale; null if retention removed the event. */
  readonly marks: readonly (Facts['marked'] | null)[];
  /** When the audience of a feature in an environment last changed; null if retention removed the event. */
  readonly audienceChangedAt: readonly (number | null)[];
  /** When the log begins: a removed event is older. */
  readonly begin: number | null;
}

interface LogQuestion {
  readonly stale: readonly string[];
  readonly fullyOn: readonly InEnvironment[];
}

/** Written to use the index of features. With the index of types, without statistics, each lookup took 10 ms. */
const isOneOf = (types: readonly string[]) =>
  sql`array_position(${[...types]}::text[], e.type) is not null`;

export async function readLog(db: Db, { stale, fullyOn }: LogQuestion): Promise<LogRows> {
  const { rows } = await sql<LogRows>`
    select (
      select coalesce(json_agg((
        select json_build_object('by', e.created_by, 'at', ${milliseconds('e.created_at')})
        from events e
        where e.feature_name = requested.name
          and ${isOneOf(['feature-stale-on', 'feature-created'])}
        order by e.id desc limit 1
      ) order by requested.position), '[]')
      from unnest(${stale}::text[]) with ordinality requested(name, position)
    ) as marks,
    (
      select coalesce(json_agg((
        select ${milliseconds('e.created_at')} from events e
        where e.feature_name = requested.name
          and coalesce(e.environment, requested.environment) = requested.environment
          and ${isOneOf(audienceChanges)}
        order by e.id desc limit 1
      ) order by requested.position), '[]')
      from unnest(
        ${fullyOn.map(({ feature }) => feature)}::text[],
        ${fullyOn.map(({ environment }) => environment)}::text[]
      ) with ordinality requested(name, environment, position)
    ) as "audienceChangedAt",
    (select ${milliseconds('created_at')} from events order by id limit 1) as begin`.execute(db);
  return rows[0] as LogRows;
}
