import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../../platform/db/database.ts';

/** So many rows at a time: nobody waits long for a lock. */
const atOnce = 5_000;

type Table = 'usage_hours' | 'usage_variant_hours';

const idsOf = (table: string, condition: ReturnType<typeof sql>) => sql<boolean>`
  ctid = any(array(select ctid from ${sql.table(table)} where ${condition} limit ${atOnce}))`;

async function inBatches(
  remove: () => Promise<{ readonly numDeletedRows: bigint }>,
): Promise<void> {
  while ((await remove()).numDeletedRows >= BigInt(atOnce));
}

/** Hours that began before an instant. */
export const deleteHours = (db: Kysely<Database>, table: Table, before: Date) =>
  inBatches(() =>
    db
      .deleteFrom(table)
      .where(idsOf(table, sql`hour < ${before}`))
      .executeTakeFirstOrThrow(),
  );

export const deleteUses = (db: Kysely<Database>, before: Date) =>
  inBatches(() =>
    db
      .deleteFrom('application_features')
      .where(idsOf('application_features', sql`seen_at < ${before}`))
      .executeTakeFirstOrThrow(),
  );

export const deleteInstances = (db: Kysely<Database>, before: Date) =>
  inBatches(() =>
    db
      .deleteFrom('application_instances')
      .where(idsOf('application_instances', sql`seen_at < ${before}`))
      .executeTakeFirstOrThrow(),
  );

/** Names that nobody asks for any more, and those that a feature has by now. */
export const deleteUnknown = (db: Kysely<Database>, before: Date) =>
  inBatches(() =>
    db
      .deleteFrom('unknown_features')
      .where(
        idsOf(
          'unknown_features',
          sql`seen_at < ${before}
            or exists (select from features where features.name = unknown_features.name)`,
        ),
      )
      .executeTakeFirstOrThrow(),
  );

/** Of an application that is silent what it last reached stays: whoever knew of it goes on knowing it. */
export const deleteReach = (db: Kysely<Database>, before: Date) =>
  inBatches(() =>
    db
      .deleteFrom('application_reach')
      .where(
        idsOf(
          'application_reach',
          sql`seen_at < ${before} and exists (
            select from applications a
            where a.app_name = application_reach.app_name and a.seen_at >= ${before})`,
        ),
      )
      .executeTakeFirstOrThrow(),
  );

/**
 * Applications of which nobody said anything, and that let hear nothing of themselves for long; not as long where
 * anybody can have invented them.
 */
export const deleteSilentApplications = (db: Kysely<Database>, before: Date, publicBefore: Date) =>
  inBatches(() =>
    db
      .deleteFrom('applications')
      .where(
        idsOf(
          'applications',
          sql`seen_at < case when is_public then ${publicBefore}::timestamptz else ${before}::timestamptz end
            and description = ''
            and url is null and color is null and icon is null`,
        ),
      )
      .executeTakeFirstOrThrow(),
  );
