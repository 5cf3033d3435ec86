import { type Kysely, sql } from 'kysely';

/** Named filters of lists, private or shared. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_views (
      id         integer generated always as identity constraint saved_views_pkey primary key,
      user_id    integer not null,
      page       text not null
        constraint saved_views_page_check check (page in ('features', 'events')),
      project    text constraint saved_views_project_fkey references projects on delete cascade,
      name       text not null,
      query      text not null,
      shared     boolean not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint saved_views_name_key unique nulls not distinct (user_id, page, project, name)
    );
    create index saved_views_project_idx on saved_views (project);
    create index saved_views_shared_idx on saved_views (page, project) where shared;`.execute(db);
}
