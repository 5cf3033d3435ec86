import { type Kysely, sql } from 'kysely';

/** Where changes need approval, and how many approvals new projects require. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // Stored with the membership, because a change locks that row and so is ordered with a change of the setting.
  await sql`
    alter table project_environments
      add column change_requests_enabled boolean not null default false`.execute(db);
  // Up to 100 were accepted while the number had no effect.
  await sql`
    update project_environments set required_approvals = 10 where required_approvals > 10`.execute(
    db,
  );
  await sql`alter table environments add column required_approvals smallint`.execute(db);
}
