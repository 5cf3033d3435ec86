import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { instantText } from '../../../../platform/db/instant-text.ts';
import { isEventVisible } from '../../../events/index.ts';
import type { Application } from './contract.ts';
import type { Paging } from './paging.ts';

type Predicate = RawBuilder<boolean>;
type Sees = Actor['sees'];

const isSeen = (sees: Sees, project: string): Predicate =>
  sees === 'all' ? sql`true` : sql`${sql.ref(project)} = any(${[...sees]}::text[])`;

/** Whether an application used a token for a visible project, or for all. */
export const isVisible = (sees: Sees, appName: string): Predicate =>
  sees === 'all'
    ? sql`true`
    : sql`exists (
        select from application_reach reach where reach.app_name = ${sql.ref(appName)}
          and (reach.project = '*' or reach.project = any(${[...sees]}::text[])))`;

const applicationJson = (sees: Sees) => sql<Application>`json_strip_nulls(json_build_object(
  'appName', a.app_name, 'description', a.description, 'url', a.url, 'color', a.color, 'icon', a.icon,
  'sdkVersion', (
    select i.sdk_version from application_instances i
    where i.app_name = a.app_name and i.sdk_version is not null order by i.seen_at desc limit 1),
  'strategies', a.strategies,
  'usage', (
    select coalesce(json_agg(json_build_object(
      'project', reach.project, 'environments', reach.environments) order by reach.project), '[]')
    from (
      select r.project, array_agg(r.environment order by r.environment) as environments
      from application_reach r
      where r.app_name = a.app_name and (r.project = '*' or ${isSeen(sees, 'r.project')})
      group by r.project
    ) reach),
  'createdBy', a.created_by, 'createdAt', ${instantText('a.created_at')},
  'lastSeen', ${instantText('a.seen_at')}))`;

const matches = (words: string | undefined): Predicate =>
  words === undefined || words === ''
    ? sql`true`
    : sql`(strpos(lower(a.app_name), lower(${words})) > 0
        or strpos(lower(a.description), lower(${words})) > 0)`;

const columnOf = {
  appName: 'a.app_name',
  createdAt: 'a.created_at',
  lastSeen: 'a.seen_at',
} as const;

type Order = keyof typeof columnOf;

export const orderOf = (name: string | undefined): Order =>
  name !== undefined && Object.hasOwn(columnOf, name) ? (name as Order) : 'appName';

export interface ApplicationSearch {
  readonly words: string | undefined;
  readonly sortBy: Order;
  readonly descending: boolean;
  readonly paging: Paging;
}

interface SearchPage<Item> {
  readonly applications: Item[];
  readonly total: number;
}

/** One statement, so that page and total are of one snapshot. */
export async function searchApplications(
  db: Db,
  sees: Sees,
  { words, sortBy, descending, paging: { limit, offset } }: ApplicationSearch,
): Promise<SearchPage<Application>> {
  const { rows } = await sql<SearchPage<Application>>`
    with found as materialized (
      select a.app_name, row_number() over (
        order by ${sql.ref(columnOf[sortBy])} ${sql.raw(descending ? 'desc' : 'asc')}, a.app_name) as place
      from applications a where ${isVisible(sees, 'a.app_name')} and ${matches(words)}
    )
    select (select count(*)::int from found) as total,
      (
        select coalesce(json_agg(${applicationJson(sees)} order by page.place), '[]')
        from (select app_name, place from found order by place limit ${limit} offset ${offset}) page
        join applications a on a.app_name = page.app_name
      ) as applications`.execute(db);
  return rows[0] as SearchPage<Application>;
}

export async function findApplication(
  db: Db,
  sees: Sees,
  appName: string,
): Promise<Application | undefined> {
  const { rows } = await sql<{ application: Application }>`
    select ${applicationJson(sees)} as application from applications a
    where a.app_name = ${appName} and ${isVisible(sees, 'a.app_name')}`.execute(db);
  return rows[0]?.application;
}

/** The features of visible projects that an application evaluated. */
export const listUsedFeatures = (db: Db, sees: Sees, appName: string) =>
  db
    .selectFrom('application_features as app_feature')
    .innerJoin('features', 'features.name', 'app_feature.feature_name')
    .where('app_feature.app_name', '=', appName)
    .where(isSeen(sees, 'features.project'))
    .select(['features.name', 'features.project'])
    .select([
      sql<boolean>`features.archived_at is not null`.as('archived'),
      sql<string[]>`array_agg(app_feature.environment order by app_feature.environment)`.as(
        'environments',
      ),
      sql<Date>`max(app_feature.seen_at)`.as('seenAt'),
    ])
    .groupBy(['features.name', 'features.project', 'features.archived_at'])
    .orderBy('features.name')
    .execute();

/** The instances seen last. */
export const listInstances = (
  db: Db,
  appName: string,
  { environment, limit }: { readonly environment?: string; readonly limit: number },
) =>
  db
    .selectFrom('application_instances')
    .where('app_name', '=', appName)
    .$if(environment !== undefined, (query) =>
      query.where('environment', '=', environment as string),
    )
    .select([
      'instance_id as instanceId',
      'environment',
      'sdk_version as sdkVersion',
      'client_ip as clientIp',
      'seen_at as seenAt',
    ])
    .orderBy('seen_at', 'desc')
    .orderBy('instance_id')
    .limit(limit)
    .execute();

/** The SDKs of an application in an environment. */
export const listSdks = (db: Db, appName: string) =>
  db
    .selectFrom('application_instances')
    .where('app_name', '=', appName)
    .select(['environment', 'sdk_version as sdkVersion', 'sdk_type as sdkType'])
    .select('spec_version as specVersion')
    .select([sql<number>`count(*)::int`.as('instanceCount'), sql<Date>`max(seen_at)`.as('seenAt')])
    .groupBy(['environment', 'sdk_version', 'sdk_type', 'spec_version'])
    .orderBy('environment')
    .orderBy('sdk_version')
    .execute();

/** The strategies of an application that have no type here. */
export async function listMissingStrategies(db: Db, appName: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct used.name from applications a cross join unnest(a.strategies) used(name)
    where a.app_name = ${appName}
      and not exists (select from strategy_types known where known.name = used.name)
    order by used.name`.execute(db);
  return rows.map(({ name }) => name);
}

export interface UnknownFilter {
  readonly sees: Sees;
  readonly appName?: string;
  readonly name?: string;
  /** Either the ignored names or the others; without it, both. */
  readonly ignored?: boolean;
}

/** A name that a feature of a project once had is visible to readers of the project: it is in the log. */
const wasNeverHidden = (sees: Sees): Predicate =>
  sees === 'all'
    ? sql`true`
    : sql`not exists (
        select from events e where e.feature_name = unknown_feature.name
          and e.project is not null and not ${isEventVisible(sees, 'e.project', 'e.id')})`;

/**
 * An unknown name may belong to a future feature. If the application also used a token for a hidden project, no one
 * knows with which token it asked for the name, so the name is hidden.
 */
const camePublicly = (sees: Sees): Predicate =>
  sees === 'all'
    ? sql`true`
    : sql`not exists (
        select from application_reach reach
        where reach.app_name = unknown_feature.app_name and reach.environment = unknown_feature.environment
          and reach.project <> '*' and reach.project <> all(${[...sees]}::text[]))`;

const findUnknown = (db: Db, { sees, appName, name, ignored }: UnknownFilter) =>
  db
    .selectFrom('unknown_features as unknown_feature')
    .leftJoin('features', 'features.name', 'unknown_feature.name')
    .leftJoin('ignored_names', 'ignored_names.name', 'unknown_feature.name')
    .where('features.name', 'is', null)
    .$if(ignored !== undefined, (query) =>
      query.where('ignored_names.name', ignored ? 'is not' : 'is', null),
    )
    .$if(name !== undefined, (query) => query.where('unknown_feature.name', '=', name as string))
    .where(isVisible(sees, 'unknown_feature.app_name'))
    .where(wasNeverHidden(sees))
    .where(camePublicly(sees))
    .$if(appName !== undefined, (query) =>
      query.where('unknown_feature.app_name', '=', appName as string),
    );

export const listUnknown = (db: Db, filter: UnknownFilter, limit: number) =>
  findUnknown(db, filter)
    .select([
      'unknown_feature.name',
      'unknown_feature.app_name as appName',
      'unknown_feature.environment',
      'unknown_feature.seen_at as seenAt',
    ])
    .orderBy('unknown_feature.seen_at', 'desc')
    .orderBy('unknown_feature.name')
    .orderBy('unknown_feature.app_name')
    .orderBy('unknown_feature.environment')
    .limit(limit)
    .execute();

/** Counts each name once, up to a limit: those that only some users can see are looked up in the log one by one. */
export async function countUnknown(db: Db, filter: UnknownFilter, limit: number): Promise<number> {
  const { count } = await db
    .selectFrom(
      findUnknown(db, filter).select('unknown_feature.name').distinct().limit(limit).as('found'),
    )
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns whether it was not ignored before. */
export async function insertIgnored(tx: Tx, name: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx.db
    .insertInto('ignored_names')
    .values({ name, ignored_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Returns whether it was ignored. */
export async function deleteIgnored(tx: Tx, name: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('ignored_names')
    .where('name', '=', name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const stored = [
  'app_name as appName',
  'description',
  'strategies',
  'url',
  'color',
  'icon',
  'created_by as createdBy',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

/** Gets and locks an application. */
export const lockApplication = (tx: Tx, appName: string) =>
  tx.db
    .selectFrom('applications as a')
    .where('a.app_name', '=', appName)
    .where(isVisible(tx.actor.sees, 'a.app_name'))
    .select(stored)
    .forUpdate()
    .executeTakeFirst();

export const updateAnnotations = (
  tx: Tx,
  appName: string,
  annotations: {
    readonly description: string;
    readonly url: string | null;
    readonly color: string | null;
    readonly icon: string | null;
  },
) =>
  tx.db
    .updateTable('applications')
    .set({ ...annotations, updated_at: tx.now })
    .where('app_name', '=', appName)
    .execute();

export const deleteApplication = (tx: Tx, appName: string) =>
  tx.db.deleteFrom('applications').where('app_name', '=', appName).execute();
