import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';

/** The project of a token that an application used; `*` means all. */
export interface ApplicationReach {
  readonly appName: string;
  readonly project: string;
  readonly environment: string;
}

const reportedReach = (reached: readonly ApplicationReach[]) =>
  sql<{ app: string; project: string; environment: string }>`unnest(
    ${reached.map(({ appName }) => appName)}::text[],
    ${reached.map(({ project }) => project)}::text[],
    ${reached.map(({ environment }) => environment)}::text[])`.as<'reported'>(
    sql`reported(app, project, environment)`,
  );

/** New ones, and those not written for an hour. Readers need no more than the day. */
export const listDueReach = (
  db: Db,
  reached: readonly ApplicationReach[],
  now: Date,
): Promise<ApplicationReach[]> =>
  db
    .selectFrom(reportedReach(reached))
    .leftJoin('application_reach as stored', (join) =>
      join
        .onRef('stored.app_name', '=', 'reported.app')
        .onRef('stored.project', '=', 'reported.project')
        .onRef('stored.environment', '=', 'reported.environment'),
    )
    .where(
      sql<boolean>`stored.app_name is null
        or stored.seen_at < ${now}::timestamptz - interval '1 hour'`,
    )
    .select(['reported.app as appName', 'reported.project', 'reported.environment'])
    .execute();

/** Locks the existing projects until the transaction ends. */
export async function lockProjects(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.db
    .selectFrom('projects')
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .select('id')
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export const upsertReach = (tx: Tx, reached: readonly ApplicationReach[]) =>
  tx.db
    .insertInto('application_reach')
    .columns(['app_name', 'project', 'environment', 'seen_at'])
    .expression(({ selectFrom }) =>
      selectFrom(reportedReach(reached))
        .select([
          'reported.app',
          'reported.project',
          'reported.environment',
          sql<Date>`${tx.now}::timestamptz`.as('seen_at'),
        ])
        .orderBy('reported.app')
        .orderBy('reported.project')
        .orderBy('reported.environment'),
    )
    .onConflict((conflict) =>
      conflict.columns(['app_name', 'project', 'environment']).doUpdateSet({
        seen_at: sql<Date>`greatest(application_reach.seen_at, excluded.seen_at)`,
      }),
    )
    .execute();
