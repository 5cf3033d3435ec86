import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // A project's segments are removed one by one, with their events, before the project goes.
  await sql`
    create table segments (
      id                 integer generated always as identity constraint segments_pkey primary key,
      name               text not null constraint segments_name_key unique,
      description        text not null,
      project            text constraint segments_project_fkey references projects,
      constraints        json not null,
      created_by         text not null,
      created_by_user_id integer not null,
      created_at         timestamptz(3) not null
    );
    create index segments_project_idx on segments (project);`.execute(db);
}
