import { type Kysely, sql } from 'kysely';

/**
 * A change is about the feature that existed when it was proposed, not about one that gets its name later. Changes that
 * were proposed before this migration are not compared.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table change_request_changes add column feature_created_at timestamptz(3)`.execute(db);
}
