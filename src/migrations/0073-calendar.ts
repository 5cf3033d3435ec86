import { type Kysely, sql } from 'kysely';

/** The results of schedules, and tokens with which calendar apps read them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table change_request_schedules
      drop constraint change_request_schedules_status_check,
      add constraint change_request_schedules_status_check
        check (status in ('pending', 'failed', 'suspended', 'applied', 'canceled')),
      -- How often it was changed.
      add column sequence integer not null default 0,
      add column changed_at timestamptz(3);
    update change_request_schedules set changed_at = created_at;
    alter table change_request_schedules alter column changed_at set not null;
    create index change_request_schedules_time_idx
      on change_request_schedules (scheduled_at, request_id);`.execute(db);
  await sql`
    create table calendar_tokens (
      id          integer generated always as identity
        constraint calendar_tokens_pkey primary key,
      user_id     integer not null
        constraint calendar_tokens_user_fkey references users on delete cascade,
      project     text
        constraint calendar_tokens_project_fkey references projects on delete cascade,
      feature     text,
      secret_hash bytea not null constraint calendar_tokens_secret_key unique,
      created_at  timestamptz(3) not null
    );
    create index calendar_tokens_user_idx on calendar_tokens (user_id, id);
    create index calendar_tokens_project_idx on calendar_tokens (project);`.execute(db);
}
