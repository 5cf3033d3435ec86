import { type Kysely, sql } from 'kysely';

/**
 * The id of a deleted project can be used again. From which event on the log tells of the project as it is now is
 * remembered with the project: what lies before belongs to its namesake, and is for administrators only.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // Nobody records the creation of a project while those that are there are looked at.
  await sql`select pg_advisory_xact_lock(4242002)`.execute(db);
  await sql`alter table projects add column first_event_id bigint not null default 0`.execute(db);
  await sql`
    update projects set first_event_id = created.id
    from (
      select project, max(id) as id from events where type = 'project-created' group by project
    ) created
    where created.project = projects.id
      and exists (select from events e where e.project = projects.id and e.id < created.id)`.execute(
    db,
  );
}
