import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { isPotentiallyStale, stageOrder } from '../read/queries.ts';
import {
  asHits,
  foundColumns,
  type SummaryRows,
  summaryRows,
  targetingRows,
} from '../read/summary-queries.ts';
import type { Condition, FeatureFilter, FeatureOrder, FeatureSearch, Status } from './filter.ts';

type Predicate = RawBuilder<boolean>;

const any = (predicates: readonly Predicate[]): Predicate =>
  predicates.length === 0 ? sql`false` : sql`(${sql.join(predicates, sql` or `)})`;

const integer = /^-?\d{1,15}$/;

/** Matches a property with one value. */
const oneOf =
  (column: string) =>
  (values: readonly string[]): Predicate =>
    sql`${sql.raw(column)} = any(${values}::text[])`;

/** Matches creators as the event search does: an integer is the id, any other text the name. */
const creators = (values: readonly string[]): Predicate => {
  const ids = values.filter((value) => /^-?\d+$/.test(value));
  const names = values.filter((value) => !ids.includes(value));
  const possible = ids.filter((id) => integer.test(id));
  return any([
    sql`f.created_by_user_id = any(${possible}::bigint[])`,
    sql`f.created_by = any(${names}::text[])`,
  ]);
};

/** Matches features of no existing owner for `none`, and of the caller for `me`. */
const owners =
  (callerId: number) =>
  (values: readonly string[]): Predicate => {
    const named = values
      .filter((value) => value !== 'none')
      .map((value) => (value === 'me' ? `user:${callerId}` : value));
    return any([
      sql`f.name in (
        select o.feature_name from feature_owners o where o.type || ':' || o.id = any(${named}::text[]))`,
      ...(values.includes('none')
        ? [sql<boolean>`f.name not in (select o.feature_name from feature_owners o)`]
        : []),
    ]);
  };

const isExpired = (now: Date): Predicate =>
  sql`(f.expires_at is not null and f.expires_at <= ${now}::timestamptz)`;

const stateOf = (state: string, now: Date): Predicate => {
  if (state === 'stale') return sql`f.stale`;
  if (state === 'active') return sql`not f.stale`;
  return isPotentiallyStale(now);
};

const furthestStage = sql`(
  select c.stage from feature_lifecycles c where c.feature_name = f.name
  order by array_position(${stageOrder}, c.stage) desc limit 1)`;

/** Rows with a text, for properties with several values. */
const tagsOf = sql`
  select t.type || ':' || t.value as text from feature_tags t where t.feature_name = f.name`;

/** Only in environments of the project, because others are not listed either. */
const segmentsOf = sql`
  select segments.name as text
  from feature_strategies s
  join project_environments pe on pe.project = f.project and pe.environment = s.environment
  join feature_strategy_segments link on link.strategy_id = s.id
  join segments on segments.id = link.segment_id
  where s.feature_name = f.name`;

/** The types of the environments in which the feature is enabled. */
const enabledTypes = sql`
  select e.type as text
  from feature_environments s
  join project_environments pe on pe.project = f.project and pe.environment = s.environment
  join environments e on e.name = s.environment
  where s.feature_name = f.name and s.enabled`;

const lastSeenAt = sql`(
  select max(s.last_seen_at) from feature_environments s
  join project_environments pe on pe.project = f.project and pe.environment = s.environment
  where s.feature_name = f.name)`;

/** Returns whether the feature is enabled in an environment, or null if its project does not have it. */
const stateIn = (environment: string): RawBuilder<boolean | null> => sql`(
  select coalesce(s.enabled, false) from project_environments pe
  left join feature_environments s on s.feature_name = f.name and s.environment = pe.environment
  where pe.project = f.project and pe.environment = ${environment})`;

const hasStatus = (statuses: readonly Status[]): Predicate => sql`exists (
  select from project_environments pe
  left join feature_environments s on s.feature_name = f.name and s.environment = pe.environment
  where pe.project = f.project and (pe.environment, coalesce(s.enabled, false)) in (
    select * from unnest(
      ${statuses.map(({ environment }) => environment)}::text[],
      ${statuses.map(({ enabled }) => enabled)}::boolean[])))`;

/** One predicate for any number of words: separate ones would take longer to plan than to run. */
const holdsWords = (words: readonly string[]): Predicate => sql`not exists (
  select from unnest(${words}::text[]) word
  where strpos(lower(f.name), lower(word)) = 0
    and strpos(lower(coalesce(f.description, '')), lower(word)) = 0
    and not exists (select from (${tagsOf}) tag where strpos(lower(tag.text), lower(word)) > 0))`;

/** Returns the predicate of a condition on a property with one value. */
const choose = (
  condition: Condition | undefined,
  predicate: (values: readonly string[]) => Predicate,
): Predicate[] => {
  if (!condition) return [];
  const { wanted, values } = condition;
  return [wanted === 'none' ? sql`not ${predicate(values)}` : predicate(values)];
};

/** Returns the predicate of a condition on a property with several values. */
const include = (condition: Condition | undefined, texts: RawBuilder<unknown>): Predicate[] => {
  if (!condition) return [];
  const { wanted, values } = condition;
  const any = sql<boolean>`exists (select from (${texts}) found where found.text = any(${values}::text[]))`;
  const all = sql<boolean>`${values.length} = nullif((
    select count(distinct found.text) from (${texts}) found where found.text = any(${values}::text[])), 0)`;
  const predicates: Readonly<Record<Condition['wanted'], Predicate>> = {
    any,
    none: sql`not ${any}`,
    all: sql`(${all}) is true`,
    notAll: sql`(${all}) is not true`,
  };
  return [predicates[wanted]];
};

const within = (limit: FeatureFilter['createdAt'], instant: RawBuilder<unknown>): Predicate[] => {
  if (!limit) return [];
  if (limit.orNever) return [sql`(${instant} < ${limit.day}) is not false`];
  return [limit.before ? sql`${instant} < ${limit.day}` : sql`${instant} >= ${limit.day}`];
};

const isFavoriteOf = (userId: number): Predicate => sql`exists (
  select from feature_favorites mine where mine.feature_name = f.name and mine.user_id = ${userId})`;

const predicateOf = (
  filter: FeatureFilter,
  { id, sees }: Pick<Actor, 'id' | 'sees'>,
  now: Date,
): Predicate => {
  const predicates: Predicate[] = [
    sql`f.archived_at is ${filter.archived ? sql`not null` : sql`null`}`,
    ...(sees === 'all' ? [] : [oneOf('f.project')([...sees])]),
    ...choose(filter.project, oneOf('f.project')),
    ...choose(filter.type, oneOf('f.type')),
    ...choose(filter.createdBy, creators),
    ...choose(filter.owner, owners(id)),
    ...choose(filter.state, (values) => any(values.map((state) => stateOf(state, now)))),
    ...choose(filter.lifecycle, (values) => sql`${furthestStage} = any(${values}::text[])`),
    ...include(filter.tag, tagsOf),
    ...include(filter.segment, segmentsOf),
    ...(filter.status ? [hasStatus(filter.status)] : []),
    ...include(filter.enabledIn, enabledTypes),
    ...within(filter.createdAt, sql`f.created_at`),
    ...(filter.lastSeenAt === 'never'
      ? [sql<boolean>`${lastSeenAt} is null`]
      : within(filter.lastSeenAt, lastSeenAt)),
    ...(filter.favorite === undefined
      ? []
      : [filter.favorite ? isFavoriteOf(id) : sql<boolean>`not ${isFavoriteOf(id)}`]),
    ...(filter.expired === undefined
      ? []
      : [filter.expired ? isExpired(now) : sql<boolean>`not ${isExpired(now)}`]),
    ...(filter.texts.length > 0 ? [any(filter.texts.map(holdsWords))] : []),
  ];
  return sql`(${sql.join(predicates, sql` and `)})`;
};

/**
 * Returns the sort key. A feature that was never seen sorts before all others, a missing environment before disabled,
 * and a missing owner or expiry date after all others.
 */
const keyOf = (by: FeatureOrder['by']): RawBuilder<unknown> => {
  if (typeof by === 'object') return stateIn(by.environment);
  return {
    name: sql`f.name`,
    createdAt: sql`f.created_at`,
    type: sql`f.type`,
    project: sql`(select lower(p.name) from projects p where p.id = f.project)`,
    stale: sql`f.stale`,
    lastSeenAt,
    owner: sql`(select o.name from feature_owners o where o.feature_name = f.name)`,
    expiresAt: sql`f.expires_at`,
  }[by];
};

function orderOf({ by, descending, favoritesFirst }: FeatureOrder, userId: number) {
  const ascending =
    by === 'expiresAt' || by === 'owner' ? sql`asc nulls last` : sql`asc nulls first`;
  return sql.join([
    ...(favoritesFirst ? [sql`${isFavoriteOf(userId)} desc`] : []),
    sql`${keyOf(by)} ${descending ? sql`desc nulls last` : ascending}`,
    sql`f.created_at`,
    sql`f.name`,
  ]);
}

const foundBy = ({ id, sees }: Actor, { filter, order }: FeatureSearch, now: Date) => sql`
  found as materialized (
    select f.name, row_number() over (order by ${orderOf(order, id)}) as position
    from features f where ${predicateOf(filter, { id, sees }, now)}
  )`;

const onPage = ({ paging: { offset, limit } }: FeatureSearch) =>
  sql`select name from found order by position limit ${limit} offset ${offset}`;

const total = sql`(select count(*)::int from found) as total`;

/** Finds page and total in one statement, and so in one snapshot. */
export async function findFeatures(
  db: Db,
  actor: Actor,
  search: FeatureSearch,
  now: Date,
): Promise<SummaryRows & { readonly total: number }> {
  const { rows } = await sql<SummaryRows & { total: number }>`
    with ${foundBy(actor, search, now)}, hits as (${asHits(onPage(search))})
    select ${total}, ${summaryRows(actor.id, foundColumns(now))}, ${targetingRows}`.execute(db);
  return rows[0] as SummaryRows & { total: number };
}

/** Finds the names of a page and the total in one statement. */
export async function findNames(
  db: Db,
  actor: Actor,
  search: FeatureSearch,
  now: Date,
): Promise<{ readonly names: readonly string[]; readonly total: number }> {
  const { rows } = await sql<{ names: string[]; total: number }>`
    with ${foundBy(actor, search, now)}
    select ${total}, array(${onPage(search)}) as names`.execute(db);
  return rows[0] as { names: string[]; total: number };
}

/** Lists found features in this order. Those that have become invisible since, or were archived or revived, are missing. */
export async function listFound(
  db: Db,
  { id, sees }: Actor,
  { archived }: FeatureFilter,
  names: readonly string[],
  now: Date,
): Promise<SummaryRows> {
  const found = sql`
    select f.name from unnest(${names}::text[]) with ordinality as found(name, position)
    join features f on f.name = found.name
    where f.archived_at is ${archived ? sql`not null` : sql`null`}
      ${sees === 'all' ? sql`` : sql`and ${oneOf('f.project')([...sees])}`}
    order by found.position`;
  const { rows } = await sql<SummaryRows>`
    with hits as (${asHits(found)})
    select ${summaryRows(id, foundColumns(now))}, ${targetingRows}`.execute(db);
  return rows[0] as SummaryRows;
}
