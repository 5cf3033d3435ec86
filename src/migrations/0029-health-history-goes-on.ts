import { type Kysely, sql } from 'kysely';

/** Where the work that fills in missing days of the health history has come to, so that a restart goes on from there. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table health_history add column step bigint not null default 0, add column backfill json`.execute(
    db,
  );
}
