import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table projects
      add column auto_stale boolean not null default false,
      add column max_stale integer constraint projects_max_stale_check check (max_stale >= 0),
      add column min_health integer
        constraint projects_min_health_check check (min_health between 0 and 100)`.execute(db);

  // How a project stood at the end of a day (UTC).
  await sql`
    create table health_snapshots (
      project           text not null
        constraint health_snapshots_project_fkey references projects on delete cascade,
      day               date not null,
      total             integer not null,
      stale             integer not null,
      potentially_stale integer not null,
      health            integer not null,
      reconstructed     boolean not null,
      constraint health_snapshots_pkey primary key (project, day)
    )`.execute(db);

  // One row: up to which day all projects have been looked at.
  await sql`
    create table health_history (
      only_row        boolean constraint health_history_pkey primary key default true
        constraint health_history_only_row_check check (only_row),
      settled_through date
    )`.execute(db);
  await sql`insert into health_history (settled_through) values (null)`.execute(db);
}
