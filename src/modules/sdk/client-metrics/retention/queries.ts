import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../../platform/db/database.ts';
import { deleteInBatches } from '../../../../platform/db/in-batches.ts';

type Table = 'usage_hours' | 'usage_variant_hours' | 'evaluation_hours';

/** Deletes hours that started before an instant. */
export const deleteHours = (db: Kysely<Database>, table: Table, before: Date) =>
  deleteInBatches(db, table, sql`hour < ${before}`);

export const deleteUses = (db: Kysely<Database>, before: Date) =>
  deleteInBatches(db, 'application_features', sql`seen_at < ${before}`);

export const deleteInstances = (db: Kysely<Database>, before: Date) =>
  deleteInBatches(db, 'application_instances', sql`seen_at < ${before}`);

/** Deletes ids of counted reports, also those beyond a number: anyone with a token can invent them. */
export const deleteBatches = (db: Kysely<Database>, before: Date, most: number) =>
  deleteInBatches(
    db,
    'usage_batches',
    sql`counted_at < greatest(${before}::timestamptz, (
      select counted_at from usage_batches order by counted_at desc offset ${most} limit 1))`,
  );

/** Deletes names that are no longer evaluated, and those that a feature has now. */
export const deleteUnknown = (db: Kysely<Database>, before: Date) =>
  deleteInBatches(
    db,
    'unknown_features',
    sql`seen_at < ${before}
      or exists (select from features where features.name = unknown_features.name)`,
  );

/** A silent application keeps its latest reach, so that its readers still see it. */
export const deleteReach = (db: Kysely<Database>, before: Date) =>
  deleteInBatches(
    db,
    'application_reach',
    sql`seen_at < ${before} and exists (
      select from applications a
      where a.app_name = application_reach.app_name and a.seen_at >= ${before})`,
  );

/**
 * Deletes applications without annotations that were silent for long. Those seen only with public tokens go earlier,
 * because anyone may have invented them.
 */
export const deleteSilentApplications = (db: Kysely<Database>, before: Date, publicBefore: Date) =>
  deleteInBatches(
    db,
    'applications',
    sql`seen_at < case when is_public then ${publicBefore}::timestamptz else ${before}::timestamptz end
      and description = '' and url is null and color is null and icon is null`,
  );
