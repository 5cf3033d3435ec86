import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table projects add column link_templates jsonb not null default '[]'`.execute(db);
  // How many would have to approve a change; it is in force only where change requests are on.
  await sql`alter table project_environments add column required_approvals smallint`.execute(db);
}
