import { type RawBuilder, sql } from 'kysely';
import { dayMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';

const counted = (rest: RawBuilder<unknown>) => sql<number>`(select count(*)::int ${rest})`;

const isActive = sql`deleted_at is null and kind = 'person'`;

/** All counts except those of the log, in one statement, so of one moment. Counting the log may take longer. */
export const countRows = (db: Db, now: Date) => {
  const ago = (days: number) => sql`${new Date(now.getTime() - days * dayMs)}::timestamptz`;
  const seenWithin = (days: number) =>
    counted(sql`from users join last_seen on last_seen.kind = 'account' and last_seen.id = users.id
      where users.kind = 'person' and users.deleted_at is null and last_seen.seen_at > ${ago(days)}`);
  const tokens = (type: string) =>
    counted(sql`from api_tokens where type = ${type} and revoked_at is null
      and (expires_at is null or expires_at > ${now}::timestamptz)`);
  const today = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
  const yesterday = new Date(today.getTime() - dayMs);
  const isOfYesterday = sql`hour >= ${yesterday}::timestamptz and hour < ${today}::timestamptz`;
  const custom = sql`from roles where type = 'root-custom'`;
  return db
    .selectNoFrom([
      counted(sql`from users where ${isActive}`).as('users'),
      counted(sql`from users where deleted_at is null and kind = 'service account'`).as(
        'serviceAccounts',
      ),
      seenWithin(7).as('seen7'),
      seenWithin(30).as('seen30'),
      seenWithin(60).as('seen60'),
      seenWithin(90).as('seen90'),
      tokens('admin').as('adminTokens'),
      tokens('client').as('clientTokens'),
      tokens('frontend').as('frontendTokens'),
      counted(sql`from features where archived_at is null`).as('featureToggles'),
      counted(sql`from features where archived_at is not null`).as('archivedFeatureToggles'),
      counted(sql`from projects where archived_at is null`).as('projects'),
      counted(sql`from context_fields`).as('contextFields'),
      counted(sql`from roles`).as('roles'),
      counted(custom).as('customRootRoles'),
      counted(sql`${custom} and (
        exists (select from users where users.root_role = roles.id and deleted_at is null)
        or exists (select from groups where groups.root_role = roles.id))`).as(
        'customRootRolesInUse',
      ),
      counted(sql`from groups`).as('groups'),
      counted(sql`from environments`).as('environments'),
      counted(sql`from segments`).as('segments'),
      counted(sql`from strategy_types`).as('strategies'),
      counted(sql`from applications`).as('applications'),
      counted(sql`from applications where seen_at > ${ago(30)}`).as('applications30'),
      counted(sql`from applications where seen_at > ${ago(7)}`).as('applications7'),
      sql<number>`(select coalesce(max(count), 0)::int from (
        select count(*) from feature_strategies group by feature_name, environment) each)`.as(
        'maxEnvironmentStrategies',
      ),
      sql<number>`(select coalesce(max(json_array_length(constraints)), 0)
        from feature_strategies)`.as('maxConstraints'),
      sql<number>`(select coalesce(max(json_array_length(c -> 'values')), 0)
        from feature_strategies, json_array_elements(constraints) c)`.as('maxConstraintValues'),
      counted(sql`from usage_hours where ${isOfYesterday}`).as('enabledCount'),
      counted(sql`from usage_variant_hours where ${isOfYesterday}`).as('variantCount'),
    ])
    .executeTakeFirstOrThrow();
};

const changeTypes = [
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-strategy-add',
  'feature-strategy-update',
  'feature-strategy-remove',
];

/** Counts of the log. Days are mapped to ids, so that only the needed part of the log is read. */
export const countEvents = (db: Db, now: Date) => {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const inProduction = (days: number) =>
    counted(sql`from events where type = any(${changeTypes}::text[])
      and id >= (select min(first_id) from event_days
        where day >= ${ago(days).toISOString().slice(0, 10)}::date)
      and created_at > ${ago(days)}::timestamptz
      and environment in (select name from environments where type = 'production')`);
  return db
    .selectNoFrom([
      counted(sql`from events where type = 'features-exported'`).as('featureExports'),
      counted(sql`from events where type = 'features-imported'`).as('featureImports'),
      inProduction(30).as('last30'),
      inProduction(60).as('last60'),
      inProduction(90).as('last90'),
    ])
    .executeTakeFirstOrThrow();
};

/** The number of people at each of these instants. */
export async function countPeopleAt(db: Db, instants: readonly Date[]): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`
    select (
      select count(*)::int from users
      where kind = 'person' and created_at < at and (deleted_at is null or deleted_at >= at)
    ) as count
    from unnest(${instants.map((at) => at.toISOString())}::timestamptz[]) with ordinality each(at, position)
    order by position`.execute(db);
  return rows.map(({ count }) => count);
}

interface StoredDatabase {
  readonly version: string;
  readonly sizeBytes: number;
  readonly connections: number;
}

/** The version and the size of the database. */
export async function readDatabase(db: Db): Promise<StoredDatabase> {
  const { rows } = await sql<StoredDatabase>`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as "sizeBytes",
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections
  `.execute(db);
  return rows[0] as StoredDatabase;
}
