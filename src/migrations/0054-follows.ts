import { type Kysely, sql } from 'kysely';

/** What people follow, and the letters about its changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table feature_follows (
      feature_name text not null
        constraint feature_follows_feature_fkey references features on delete cascade,
      user_id      integer not null,
      created_at   timestamptz(3) not null,
      constraint feature_follows_pkey primary key (feature_name, user_id)
    );
    create index feature_follows_user_idx on feature_follows (user_id);
    create table project_follows (
      project    text not null
        constraint project_follows_project_fkey references projects on delete cascade,
      user_id    integer not null,
      created_at timestamptz(3) not null,
      constraint project_follows_pkey primary key (project, user_id)
    );
    create index project_follows_user_idx on project_follows (user_id);`.execute(db);

  // Nobody who wants no letters has a row. Events after mailed_id and up to pending_id are still to be mailed.
  await sql`
    create table follow_letters (
      user_id       integer constraint follow_letters_pkey primary key,
      frequency     text not null
        constraint follow_letters_frequency_check check (frequency in ('daily', 'immediate')),
      mailed_id     bigint not null,
      pending_id    bigint not null,
      due_at        timestamptz(3) not null,
      failures      integer not null,
      claimed_until timestamptz(3)
    );
    create index follow_letters_due_idx on follow_letters (due_at) where pending_id > mailed_id;
    create table follow_progress (event_id bigint not null);
    insert into follow_progress select coalesce(max(id), 0) from events;`.execute(db);
}
