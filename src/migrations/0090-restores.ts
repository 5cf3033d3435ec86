import { type Kysely, sql } from 'kysely';

/** When a backup was last restored: what was planned for a time before that is not done without asking. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table installation add column restored_at timestamptz(3)`.execute(db);
}
