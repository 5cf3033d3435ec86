import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // Tags of projects that were deleted before: a new project of the same id would show them.
  await sql`
    update tags set born_in = ''
    where born_in is not null and born_in not in (select id from projects)`.execute(db);
}
