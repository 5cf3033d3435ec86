import { type Kysely, sql } from 'kysely';

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

  await sql.raw(appendEvents).execute(db);
  await sql.raw(guard).execute(db);
}

/**
 * One call per transaction, its last statement: takes the lock, reads the last link, chains, inserts
 * and notifies. VOLATILE, so that the head is read from a snapshot taken after the lock. Ids have no
 * gaps, because the lock is held until the commit.
 */
const appendEvents = `
  create function append_events(batch json) returns void language plpgsql volatile as $$
  declare
    entry   json;
    link    bytea;
    last_id bigint;
    at      timestamptz(3);
  begin
    if json_array_length(batch) = 0 then
      return;
    end if;
    perform pg_advisory_xact_lock(4242002);
    select id, hash into last_id, link from events order by id desc limit 1;
    if not found then
      select anchor_id, anchor_hash into last_id, link from event_log;
    end if;
    for entry in select * from json_array_elements(batch) loop
      last_id := last_id + 1;
      at := (entry->>'createdAt')::timestamptz(3);
      link := sha256(convert_to(
        'burgee-event-1' || chr(10) || last_id || chr(10) || encode(link, 'hex') || chr(10) ||
        (entry->>'content'), 'UTF8'));
      insert into events (
        id, created_at, type, created_by, created_by_user_id, project, environment, feature_name,
        data, pre_data, tags, label, summary, ip, request_id, actor_seal, subject_keys,
        subject_seal, hash
      ) values (
        last_id, at, entry->>'type', entry->>'createdBy', (entry->>'createdByUserId')::bigint,
        entry->>'project', entry->>'environment', entry->>'featureName',
        (entry->>'data')::json, (entry->>'preData')::json, entry->'tags',
        entry->>'label', entry->>'summary', entry->>'ip', entry->>'requestId',
        decode(entry->>'actorSeal', 'hex'),
        case when json_typeof(entry->'subjectKeys') = 'array'
          then array(select json_array_elements_text(entry->'subjectKeys')) end,
        decode(entry->>'subjectSeal', 'hex'), link
      );
      if entry->>'search' is not null then
        insert into event_texts (id, search) values (last_id, entry->>'search');
      end if;
      if entry->>'searchPreData' is not null then
        insert into event_side_texts (id, part, search)
        values (last_id, 'preData', entry->>'searchPreData');
      end if;
      if entry->>'searchTags' is not null then
        insert into event_side_texts (id, part, search)
        values (last_id, 'tags', entry->>'searchTags');
      end if;
      insert into event_days as d (day, first_id, last_id)
      values ((at at time zone 'UTC')::date, last_id, last_id)
      on conflict (day) do update set last_id = excluded.last_id;
    end loop;
    perform pg_notify('burgee_events', last_id::text);
  end $$`;

/**
 * Refuses UPDATE, DELETE and TRUNCATE, for the account that owns the table too. Erasure may replace
 * a person by the commitment to that person and nothing else; retention may delete what lies before
 * the anchor. The actor's commitment is computed here again: `to_json` spells text as JavaScript does.
 */
const guard = `
  create function guard_events() returns trigger language plpgsql as $$
  declare
    duty text := current_setting('burgee.duty', true);
  begin
    if tg_op = 'UPDATE' and duty = 'erasure'
      and (new.id, new.created_at, new.type, new.created_by_user_id, new.project, new.environment,
           new.feature_name, new.tags::text, new.label, new.request_id, new.subject_keys, new.hash)
        is not distinct from
          (old.id, old.created_at, old.type, old.created_by_user_id, old.project, old.environment,
           old.feature_name, old.tags::text, old.label, old.request_id, old.subject_keys, old.hash)
      and ((new.actor_seal, new.created_by, new.ip)
          is not distinct from (old.actor_seal, old.created_by, old.ip)
        or (new.created_by = '[erased]' and new.ip is null and octet_length(old.actor_seal) = 16
          and new.actor_seal = sha256(old.actor_seal || convert_to(
            '{"createdBy":' || to_json(old.created_by) ||
            ',"ip":' || coalesce(to_json(old.ip)::text, 'null') || '}', 'UTF8'))))
      and ((new.subject_seal, new.data::text, new.pre_data::text)
          is not distinct from (old.subject_seal, old.data::text, old.pre_data::text)
        or (octet_length(old.subject_seal) = 16 and octet_length(new.subject_seal) = 32
          and new.data::jsonb is not distinct from old.data::jsonb - old.subject_keys
          and new.pre_data::jsonb is not distinct from old.pre_data::jsonb - old.subject_keys))
      and (new.summary = old.summary
        or (new.actor_seal, new.subject_seal) is distinct from (old.actor_seal, old.subject_seal))
    then
      return new;
    end if;
    if tg_op = 'DELETE' and duty = 'retention'
      and old.id <= (select anchor_id from event_log)
    then
      return old;
    end if;
    if tg_op = 'TRUNCATE' then
      raise exception 'events are append-only: TRUNCATE refused' using errcode = 'restrict_violation';
    end if;
    raise exception 'events are append-only: % of event % refused', tg_op, old.id
      using errcode = 'restrict_violation';
  end $$;
  create trigger events_are_append_only before update or delete on events
    for each row execute function guard_events();
  create trigger events_are_not_truncated before truncate on events
    for each statement execute function guard_events();`;
