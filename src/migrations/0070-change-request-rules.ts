import { type Kysely, sql } from 'kysely';

/** Who may approve the change requests of an environment, when they expire, and how they are applied. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // The IDs of users, groups, and roles in it have no foreign key: without the approvers that were deleted, everyone
  // could approve.
  await sql`alter table project_environments add column change_request_rules jsonb`.execute(db);
  await sql`
    alter table change_requests
      -- Everyone but the author who changed the request.
      add column contributors integer[] not null default '{}',
      -- Why it was not applied when it was approved.
      add column apply_failure text`.execute(db);
}
