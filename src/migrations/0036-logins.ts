import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table logins (
      id bigint generated always as identity,
      user_id int,
      method text not null,
      outcome text not null,
      ip text not null,
      user_agent text,
      attempts int not null default 1,
      first_at timestamptz not null,
      last_at timestamptz not null,
      constraint logins_pkey primary key (id),
      constraint logins_user_id_fkey foreign key (user_id) references users (id) on delete cascade
    )`.execute(db);
  await sql`create index logins_last_at_idx on logins (last_at)`.execute(db);
  await sql`create index logins_user_id_idx on logins (user_id, id desc)`.execute(db);
  await sql`create index logins_outcome_idx on logins (outcome, id desc)`.execute(db);
  // Refused attempts of one minute are one row: a flood of them cannot fill the table.
  await sql`
    create unique index logins_refused_key
      on logins (coalesce(user_id, 0), ip, outcome, date_trunc('minute', first_at at time zone 'UTC'))
      where outcome <> 'signed-in'`.execute(db);
}
