import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';

/** How long a row with a last-seen time stays unchanged: many reports arrive each second. */
export const touchAfter = sql`interval '1 minute'`;

export async function listEnvironmentNames(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('environments').select('name').execute();
  return new Set(rows.map(({ name }) => name));
}

/** Limits of stored rows: of all, and of those from frontend tokens, which are public. */
export interface RowLimits {
  readonly all: number;
  readonly public: number;
}

export interface ReportedApplication {
  readonly appName: string;
  /** Null: none of its instances sent them. */
  readonly strategies: readonly string[] | null;
  /** Whether it was only seen with frontend tokens, which are public. */
  readonly isPublic: boolean;
}

/** The existing applications with these names, and which of them are due for an update. */
export const listExistingApplications = (db: Db, names: readonly string[], now: Date) =>
  db
    .selectFrom('applications')
    .where(sql<boolean>`app_name = any(${names}::text[])`)
    .select([
      'app_name as appName',
      'strategies',
      'is_public as isPublic',
      sql<boolean>`seen_at < ${now}::timestamptz - ${touchAfter}`.as('due'),
    ])
    .execute();

export const countApplications = (db: Db, now: Date) =>
  db
    .selectFrom('applications')
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where is_public))::int`.as('public'),
      sql<number>`(count(*) filter (
        where is_public and created_at > ${now}::timestamptz - interval '1 hour'))::int`.as(
        'publicInAnHour',
      ),
    ])
    .executeTakeFirstOrThrow();

const reportedApplications = (reported: readonly ReportedApplication[]) =>
  sql<{ name: string; strategies: string[] | null; open: boolean }>`(
    select name, open, case when json_typeof(strategies) = 'array'
      then array(select json_array_elements_text(strategies)) end as strategies
    from json_to_recordset(${JSON.stringify(
      reported.map(({ appName, strategies, isPublic }) => ({
        name: appName,
        strategies,
        open: isPublic,
      })),
    )}) as application(name text, strategies json, open boolean)
  )`.as('reported');

/** Returns the inserted ones, without those that another transaction inserted meanwhile. */
export const insertApplications = (tx: Tx, reported: readonly ReportedApplication[]) =>
  tx.db
    .insertInto('applications')
    .columns([
      'app_name',
      'description',
      'strategies',
      'is_public',
      'created_by',
      'created_at',
      'updated_at',
      'seen_at',
    ])
    .expression(({ selectFrom, val }) =>
      selectFrom(reportedApplications(reported))
        .select([
          'reported.name',
          val('').as('description'),
          sql<string[]>`coalesce(reported.strategies, '{}')`.as('strategies'),
          'reported.open',
          val(tx.actor.name).as('created_by'),
          sql<Date>`${tx.now}::timestamptz`.as('created_at'),
          sql<Date>`${tx.now}::timestamptz`.as('updated_at'),
          sql<Date>`${tx.now}::timestamptz`.as('seen_at'),
        ])
        .orderBy('reported.name'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['app_name as appName', 'strategies'])
    .execute();

/** Updates the last-seen time, and perhaps the strategies. */
export const touchApplications = (tx: Tx, reported: readonly ReportedApplication[]) =>
  tx.db
    .with('due', (db) =>
      db
        .selectFrom('applications')
        .where(sql<boolean>`app_name = any(${reported.map(({ appName }) => appName)}::text[])`)
        .select('app_name')
        .orderBy('app_name')
        .forNoKeyUpdate(),
    )
    .updateTable('applications')
    .from('due')
    .innerJoin(reportedApplications(reported), 'reported.name', 'due.app_name')
    .whereRef('applications.app_name', '=', 'due.app_name')
    .set({
      seen_at: sql<Date>`greatest(applications.seen_at, ${tx.now}::timestamptz)`,
      strategies: sql<string[]>`coalesce(reported.strategies, applications.strategies)`,
      is_public: sql<boolean>`applications.is_public and reported.open`,
    })
    .execute();
