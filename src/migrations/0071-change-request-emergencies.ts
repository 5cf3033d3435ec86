import { type Kysely, sql } from 'kysely';

/** Change requests that were applied without approval, and who reviewed them afterwards. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table change_request_emergencies (
      request_id       integer constraint change_request_emergencies_pkey primary key
        constraint change_request_emergencies_request_fkey references change_requests on delete cascade,
      reason           text not null,
      user_id          integer not null,
      user_name        text not null,
      created_at       timestamptz(3) not null,
      reviewer_id      integer,
      reviewer_name    text,
      reviewed_at      timestamptz(3)
    );
    create index change_request_emergencies_unreviewed_idx on change_request_emergencies (request_id)
      where reviewed_at is null;`.execute(db);
}
