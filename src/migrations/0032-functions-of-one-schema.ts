import { type Kysely, sql } from 'kysely';

/**
 * The functions that write and guard the log look for their tables in this schema, whoever calls them. Otherwise an
 * account without any right to the anchor could make a temporary table `event_log`, and let the guard read that one.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    do $$ begin
      execute format('alter function append_events(json) set search_path = %I, pg_temp', current_schema());
      execute format('alter function guard_events() set search_path = %I, pg_temp', current_schema());
    end $$`.execute(db);
}
