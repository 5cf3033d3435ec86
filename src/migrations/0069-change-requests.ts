import { type Kysely, sql } from 'kysely';

/** Changes that wait for approval, or for their time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table change_requests (
      id                 integer generated always as identity
        constraint change_requests_pkey primary key,
      project            text not null
        constraint change_requests_project_fkey references projects on delete cascade,
      environment        text not null
        constraint change_requests_environment_fkey references environments on delete cascade,
      title              text,
      state              text not null
        constraint change_requests_state_check check (state in
          ('Draft', 'In review', 'Approved', 'Scheduled', 'Applied', 'Cancelled', 'Rejected')),
      -- When the request last entered each state.
      state_times        jsonb not null,
      min_approvals      smallint not null,
      created_by         text not null,
      created_by_user_id integer not null,
      created_at         timestamptz(3) not null
    );
    create unique index change_requests_draft_key
      on change_requests (created_by_user_id, project, environment) where state = 'Draft';
    create index change_requests_project_idx on change_requests (project, id);
    create index change_requests_open_idx on change_requests (project, environment)
      where state in ('Draft', 'In review', 'Approved', 'Scheduled');
    create index change_requests_author_idx on change_requests (created_by_user_id, id);
    create index change_requests_environment_idx on change_requests (environment);`.execute(db);

  await sql`
    create table change_request_changes (
      id                 integer generated always as identity
        constraint change_request_changes_pkey primary key,
      request_id         integer not null
        constraint change_request_changes_request_fkey references change_requests on delete cascade,
      position           integer not null,
      -- Neither has a foreign key: the request shows what is missing.
      feature            text,
      segment_id         integer,
      action             text not null,
      payload            jsonb not null,
      -- What the change touches, as its author saw it; null if it replaces nothing.
      base               jsonb,
      created_by         text not null,
      created_by_user_id integer not null,
      created_at         timestamptz(3) not null
    );
    create index change_request_changes_request_idx on change_request_changes (request_id, position);
    create index change_request_changes_feature_idx on change_request_changes (feature);
    create index change_request_changes_segment_idx on change_request_changes (segment_id);`.execute(
    db,
  );

  await sql`
    create table change_request_approvals (
      request_id integer not null
        constraint change_request_approvals_request_fkey references change_requests on delete cascade,
      user_id    integer not null,
      user_name  text not null,
      -- Of the changes that were approved.
      hash       bytea not null,
      created_at timestamptz(3) not null,
      constraint change_request_approvals_pkey primary key (request_id, user_id)
    );
    create table change_request_rejections (
      request_id integer not null
        constraint change_request_rejections_request_fkey references change_requests on delete cascade,
      user_id    integer not null,
      user_name  text not null,
      created_at timestamptz(3) not null,
      constraint change_request_rejections_pkey primary key (request_id, user_id)
    );
    create table change_request_comments (
      id         integer generated always as identity
        constraint change_request_comments_pkey primary key,
      request_id integer not null
        constraint change_request_comments_request_fkey references change_requests on delete cascade,
      user_id    integer not null,
      user_name  text not null,
      text       text not null,
      created_at timestamptz(3) not null
    );
    create index change_request_comments_request_idx on change_request_comments (request_id);
    create table change_request_reviewers (
      request_id integer not null
        constraint change_request_reviewers_request_fkey references change_requests on delete cascade,
      user_id    integer not null,
      constraint change_request_reviewers_pkey primary key (request_id, user_id)
    );
    create index change_request_reviewers_user_idx on change_request_reviewers (user_id);`.execute(
    db,
  );

  await sql`
    create table change_request_schedules (
      request_id     integer constraint change_request_schedules_pkey primary key
        constraint change_request_schedules_request_fkey references change_requests on delete cascade,
      scheduled_at   timestamptz(3) not null,
      time_zone      text,
      -- What happens if no server was running at that time.
      when_overdue   text not null
        constraint change_request_schedules_when_overdue_check
        check (when_overdue in ('apply', 'suspend')),
      status         text not null
        constraint change_request_schedules_status_check
        check (status in ('pending', 'failed', 'suspended')),
      reason         text,
      -- The account or token on whose behalf it is applied.
      scheduled_by   jsonb not null,
      created_at     timestamptz(3) not null
    );
    create index change_request_schedules_due_idx on change_request_schedules (scheduled_at)
      where status = 'pending';`.execute(db);
}
