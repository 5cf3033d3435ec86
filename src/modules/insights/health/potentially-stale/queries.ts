import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { dueAtInSql } from '../../../catalogue/projects/index.ts';

export interface DueFeature {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly lifetimeDays: number;
  readonly dueAt: Date;
  /** Whether its project has what is due marked as stale. */
  readonly autoStale: boolean;
}

const instant = (at: Date) => sql<Date>`${at}::timestamptz`;

/** Features that have had their day at an instant and are not stale, in projects that live. */
const due = (at: RawBuilder<Date>) => sql<DueFeature>`(
  select f.name, f.project, f.type, t.lifetime_days as "lifetimeDays", p.auto_stale as "autoStale",
    ${sql.raw(dueAtInSql)} as "dueAt"
  from features f
  join feature_types t on t.id = f.type
  join projects p on p.id = f.project
  left join feature_reviews review on review.feature_name = f.name
  where not f.stale and f.archived_at is null and p.archived_at is null
    and ${sql.raw(dueAtInSql)} <= ${at}
)`;

/** Of which the log does not tell yet; or whose project wished only afterwards that they be marked. */
const untreated = sql<boolean>`(due."autoStale" or not exists (
  select from potentially_stale_features told where told.feature_name = due.name))`;

/** The first of those with which something is to be done. */
export const listUntreated = (db: Db, now: Date, limit: number) =>
  db
    .selectFrom(due(instant(now)).as('due'))
    .where(untreated)
    .select('name')
    .orderBy('name')
    .limit(limit)
    .execute();

/** Which of these features still are that; for whoever has locked them. */
export const listUntreatedOf = (tx: Tx, names: readonly string[]): Promise<DueFeature[]> =>
  tx.db
    .selectFrom(due(instant(tx.now)).as('due'))
    .where(untreated)
    .where(sql<boolean>`name = any(${names}::text[])`)
    .select(['name', 'project', 'type', 'lifetimeDays', 'dueAt', 'autoStale'])
    .orderBy('name')
    .execute();

const dueOrTold = (now: Date) =>
  sql<Date>`greatest(${now}::timestamptz, potentially_stale_features.since)`;

export const insertTold = (tx: Tx, names: readonly string[]) =>
  tx.db
    .insertInto('potentially_stale_features')
    .values(names.map((name) => ({ feature_name: name, since: tx.now })))
    .execute();

/**
 * Whatever is no longer due is told again when it is. What was due when it was told, and still has the same day, is
 * due for everybody: also for an instance whose clock is behind.
 */
export const deleteNoLongerDue = (tx: Tx) =>
  tx.db
    .deleteFrom('potentially_stale_features')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom(due(dueOrTold(tx.now)).as('due'))
            .whereRef('due.name', '=', 'potentially_stale_features.feature_name')
            .select('due.name'),
        ),
      ),
    )
    .execute();
