/**
 * Refuses UPDATE, DELETE and TRUNCATE, even for the account that owns the table. Erasure may replace a person by the
 * commitment to that person and nothing else; retention may delete what lies before the anchor. The actor's commitment
 * is computed here again: `to_json` writes text as JavaScript does.
 */
export const guardEvents = `
  create or replace function guard_events() returns trigger language plpgsql as $$
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
  end $$`;
