import { type Kysely, sql } from 'kysely';
import { applyFunction } from './functions/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);

  await sql`
    create table installation (
      only_row         boolean primary key default true check (only_row),
      first_started_at timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table timers (
      name   text primary key,
      due_at timestamptz not null
    )`.execute(db);

  await sql`
    create table events (
      id                 bigint primary key,
      created_at         timestamptz(3) not null,
      type               text not null,
      created_by         text not null,
      created_by_user_id bigint,
      project            text,
      environment        text,
      feature_name       text,
      data               json,
      pre_data           json,
      tags               json not null,
      label              text not null,
      summary            text not null,
      ip                 text,
      request_id         text,
      actor_seal         bytea not null,
      subject_keys       text[],
      subject_seal       bytea,
      hash               bytea not null
    )`.execute(db);

  // Each ends in id, so that a filtered page is read in order and never sorted.
  await sql`
    create index events_project_idx on events (project, id desc) where project is not null;
    create index events_feature_idx on events (feature_name, id desc) where feature_name is not null;
    create index events_environment_idx on events (environment, id desc) where environment is not null;
    create index events_type_idx on events (type, id desc);
    create index events_creator_idx on events (created_by_user_id, id desc);
    create index events_creator_name_idx on events (created_by, id desc);`.execute(db);

  await sql`
    create table event_days (
      day      date primary key,
      first_id bigint not null,
      last_id  bigint not null
    )`.execute(db);

  // The pending list is emptied by a timer: a writer that had to flush it held the lock for 280 ms.
  await sql`
    create table event_texts (
      id     bigint primary key,
      search text collate "C" not null
    );
    create index event_texts_trgm_idx on event_texts
      using gin (search gin_trgm_ops) with (fastupdate = on, gin_pending_list_limit = 65536);
    create table event_side_texts (
      id     bigint not null,
      part   text not null,
      search text collate "C" not null,
      primary key (id, part)
    );
    create index event_side_texts_trgm_idx on event_side_texts
      using gin (search gin_trgm_ops) with (fastupdate = on, gin_pending_list_limit = 65536);`.execute(
    db,
  );

  await sql`
    create table event_log (
      only_row    boolean primary key default true check (only_row),
      anchor_id   bigint not null,
      anchor_hash bytea not null,
      rewrites    integer not null
    );
    insert into event_log (anchor_id, anchor_hash, rewrites)
    values (0, decode(repeat('00', 32), 'hex'), 0);`.execute(db);

  await applyFunction(db, 'append_events');
  await applyFunction(db, 'guard_events');
  await sql`
    create trigger events_are_append_only before update or delete on events
      for each row execute function guard_events();
    create trigger events_are_not_truncated before truncate on events
      for each statement execute function guard_events()`.execute(db);
}
