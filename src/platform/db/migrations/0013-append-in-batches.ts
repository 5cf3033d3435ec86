import { type Kysely, sql } from 'kysely';

/**
 * As before (0001): one call per transaction, its last statement, under the lock that makes commit
 * order id order. A clone of 500 features or an import records thousands of events at once, and two
 * things grew with them: every `->>` read its whole entry again, and every event left a dead version of
 * the one row of its day for the next one to step over. Now the batch is read once, and days are told once.
 */
const appendEvents = `
  create or replace function append_events(batch json) returns void language plpgsql volatile as $$
  declare
    entry    record;
    link     bytea;
    began_id bigint;
    last_id  bigint;
  begin
    if json_array_length(batch) = 0 then
      return;
    end if;
    perform pg_advisory_xact_lock(4242002);
    select id, hash into last_id, link from events order by id desc limit 1;
    if not found then
      select anchor_id, anchor_hash into last_id, link from event_log;
    end if;
    began_id := last_id + 1;
    for entry in
      select * from json_to_recordset(batch) as own (
        "createdAt" timestamptz(3), type text, "createdBy" text, "createdByUserId" bigint,
        project text, environment text, "featureName" text, data json, "preData" json, tags json,
        label text, summary text, ip text, "requestId" text, "actorSeal" text,
        "subjectKeys" text[], "subjectSeal" text, content text,
        search text, "searchPreData" text, "searchTags" text)
    loop
      last_id := last_id + 1;
      link := sha256(convert_to(
        'burgee-event-1' || chr(10) || last_id || chr(10) || encode(link, 'hex') || chr(10) ||
        entry.content, 'UTF8'));
      insert into events (
        id, created_at, type, created_by, created_by_user_id, project, environment, feature_name,
        data, pre_data, tags, label, summary, ip, request_id, actor_seal, subject_keys,
        subject_seal, hash
      ) values (
        last_id, entry."createdAt", entry.type, entry."createdBy", entry."createdByUserId",
        entry.project, entry.environment, entry."featureName", entry.data, entry."preData",
        entry.tags, entry.label, entry.summary, entry.ip, entry."requestId",
        decode(entry."actorSeal", 'hex'), entry."subjectKeys", decode(entry."subjectSeal", 'hex'),
        link
      );
      if entry.search is not null then
        insert into event_texts (id, search) values (last_id, entry.search);
      end if;
      if entry."searchPreData" is not null then
        insert into event_side_texts (id, part, search)
        values (last_id, 'preData', entry."searchPreData");
      end if;
      if entry."searchTags" is not null then
        insert into event_side_texts (id, part, search)
        values (last_id, 'tags', entry."searchTags");
      end if;
    end loop;
    insert into event_days as d (day, first_id, last_id)
    select (created_at at time zone 'UTC')::date, min(id), max(id)
    from events where id >= began_id group by 1
    on conflict (day) do update set last_id = excluded.last_id;
    perform pg_notify('burgee_events', last_id::text);
  end $$`;

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql.raw(appendEvents).execute(db);
}
