import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // Whose eyes an integration uses, and where the log ended when its projects were named.
  await sql`
    alter table integrations
      add column responsible_kind text not null default 'nobody'
        constraint integrations_responsible_kind
          check (responsible_kind in ('account', 'token', 'system', 'nobody')),
      add column responsible_id bigint,
      add column named_after bigint not null default 0`.execute(db);
  // Who changed one last is in the log; to switch it on or off or to pause it was no change of what it tells.
  await sql`
    with changes as (
      select (e.data->>'id')::integer as integration_id, max(e.id) as event_id
      from events e
      where e.type in ('addon-config-created', 'addon-config-updated')
        and (e.data->>'id') ~ '^[0-9]{1,9}$'
        and (e.pre_data is null
          or e.data::jsonb - 'enabled' - 'paused' - 'reason'
            <> e.pre_data::jsonb - 'enabled' - 'paused' - 'reason')
      group by 1
    )
    update integrations i set
      named_after = e.id,
      responsible_kind = case
        when e.created_by_user_id > 0 then 'account'
        when e.created_by_user_id = -1337 and e.created_by = 'burgee-system' then 'system'
        when e.created_by_user_id < 0 then 'token'
        else 'nobody' end,
      responsible_id = case
        when e.created_by_user_id > 0 then e.created_by_user_id
        when e.created_by_user_id = -1337 and e.created_by = 'burgee-system' then null
        when e.created_by_user_id < 0 then -e.created_by_user_id end
    from changes c join events e on e.id = c.event_id
    where i.id = c.integration_id`.execute(db);
  // Of what retention removed nothing can be compared: the projects of today count as those that were named.
  await sql`
    update integrations set named_after = (select event_id from delivery_progress)
    where named_after = 0`.execute(db);
  await sql`
    alter table integrations
      drop column tells_private,
      alter column responsible_kind drop default,
      alter column named_after drop default`.execute(db);

  // With most receivers of webhooks the path is the secret. In JSON a quote within a text has a backslash
  // before it, so that only the addresses themselves are found.
  await sql`
    update deliveries d set
      target = regexp_replace(d.target, '^(https?://[^/?#]*).*$', '\\1/*****'),
      attempts = regexp_replace(
        d.attempts::text, '("url": "https?://[^/?#"]*)[^"]*"', '\\1/*****"', 'g')::jsonb
    from integrations i
    where i.id = d.integration_id and i.provider = 'webhook' and d.target is not null`.execute(db);
}
