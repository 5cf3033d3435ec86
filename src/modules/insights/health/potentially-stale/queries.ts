import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';

export interface DueFeature {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly lifetimeDays: number;
  readonly dueAt: Date;
  /** Whether its project marks due features as stale. */
  readonly autoStale: boolean;
}

const instant = (at: Date) => sql<Date>`${at}::timestamptz`;

/** Features of active projects that are due at an instant and not stale. */
const due = (at: RawBuilder<Date>) => sql<DueFeature>`(
  select f.name, f.project, f.type, f.lifetime_days as "lifetimeDays", p.auto_stale as "autoStale",
    f.due_at as "dueAt"
  from feature_ages f join projects p on p.id = f.project
  where not f.stale and f.archived_at is null and p.archived_at is null and f.due_at <= ${at}
)`;

/** Due features that are not recorded yet, or whose project enabled automatic marking only later. */
const isPending = sql<boolean>`(due."autoStale" or not exists (
  select from potentially_stale_features recorded where recorded.feature_name = due.name))`;

export const listPending = (db: Db, now: Date, limit: number) =>
  db
    .selectFrom(due(instant(now)).as('due'))
    .where(isPending)
    .select('name')
    .orderBy('name')
    .limit(limit)
    .execute();

/** Returns those of these features, which the caller has locked, that are still pending. */
export const listPendingOf = (tx: Tx, names: readonly string[]): Promise<DueFeature[]> =>
  tx.db
    .selectFrom(due(instant(tx.now)).as('due'))
    .where(isPending)
    .where(sql<boolean>`name = any(${names}::text[])`)
    .select(['name', 'project', 'type', 'lifetimeDays', 'dueAt', 'autoStale'])
    .orderBy('name')
    .execute();

const latestCheck = (now: Date) =>
  sql<Date>`greatest(${now}::timestamptz, potentially_stale_features.since)`;

export const insertPotentiallyStale = (tx: Tx, names: readonly string[]) =>
  tx.db
    .insertInto('potentially_stale_features')
    .values(names.map((name) => ({ feature_name: name, since: tx.now })))
    .execute();

/**
 * Deletes records of features that are no longer due, so that they are recorded again when they are. The comparison
 * uses the time of the record at the earliest, so that an instance whose clock is behind deletes nothing.
 */
export const deleteNoLongerDue = (tx: Tx) =>
  tx.db
    .deleteFrom('potentially_stale_features')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom(due(latestCheck(tx.now)).as('due'))
            .whereRef('due.name', '=', 'potentially_stale_features.feature_name')
            .select('due.name'),
        ),
      ),
    )
    .execute();
