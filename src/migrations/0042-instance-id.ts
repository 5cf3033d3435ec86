import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table installation
      add column instance_id uuid not null default gen_random_uuid()`.execute(db);
  // What a page has shown to somebody, and is not to show again.
  await sql`
    create table user_splashes (
      user_id int not null,
      splash_id text not null,
      seen_at timestamptz not null,
      constraint user_splashes_pkey primary key (user_id, splash_id),
      constraint user_splashes_user_id_fkey foreign key (user_id) references users (id) on delete cascade
    )`.execute(db);
  await sql`
    create table user_feedback (
      user_id int not null,
      feedback_id text not null,
      never_show boolean not null,
      given_at timestamptz not null,
      constraint user_feedback_pkey primary key (user_id, feedback_id),
      constraint user_feedback_user_id_fkey foreign key (user_id) references users (id) on delete cascade
    )`.execute(db);
}
