import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // A person by id, so that an erased one is not named here; a token or the system by name.
  await sql`
    alter table password_links
      add column created_by_user_id int,
      add column created_by text`.execute(db);
}
