import { type Kysely, sql } from 'kysely';

/**
 * An approved strategy reaches those whom its segments described when they were looked at. Changes that were proposed
 * before this migration are not compared.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table change_request_changes add column used_segments jsonb`.execute(db);
}
