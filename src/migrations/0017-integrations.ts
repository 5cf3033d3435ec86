import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // A deleted one keeps its row until its deliveries are pruned, in small batches.
  await sql`
    create table integrations (
      id             integer generated always as identity primary key,
      provider       text not null,
      description    text not null,
      enabled        boolean not null,
      parameters     jsonb not null,
      secrets        bytea,
      secret_names   text[] not null,
      events         text[] not null,
      projects       text[] not null,
      environments   text[] not null,
      tags           jsonb not null,
      in_order       boolean not null,
      retention_days integer not null check (retention_days > 0),
      tells_private  boolean not null,
      created_at     timestamptz(3) not null,
      paused_at      timestamptz(3),
      held_until     timestamptz(3),
      trouble        jsonb,
      deleted_at     timestamptz(3)
    )`.execute(db);

  // Up to which event it is written down who is to be told, and how often integrations were changed.
  await sql`
    create table delivery_progress (
      event_id bigint not null,
      version  bigint not null
    )`.execute(db);
  await sql`
    insert into delivery_progress (event_id, version)
    select coalesce((select max(id) from events), (select anchor_id from event_log)), 1`.execute(
    db,
  );

  // The intent, the queue and the record of what became of it: one row for an event and an integration.
  await sql`
    create table deliveries (
      id             uuid primary key,
      integration_id integer not null references integrations,
      event_id       bigint not null,
      event_type     text not null,
      project        text,
      created_at     timestamptz(3) not null,
      message        json not null,
      state          text not null check (state in ('pending', 'delivered', 'givenUp')),
      next_at        timestamptz(3),
      tries          integer not null,
      fence          integer not null,
      owner          integer,
      leased_until   timestamptz(3),
      outcome        text check (outcome in ('success', 'successWithErrors', 'failed')),
      state_details  text not null,
      target         text,
      attempts       jsonb not null,
      latency_ms     integer,
      attempted_at   timestamptz(3),
      constraint deliveries_key unique (integration_id, event_id),
      constraint deliveries_pending check ((state = 'pending') = (next_at is not null))
    ) with (fillfactor = 85)`.execute(db);
  await sql`
    create index deliveries_due on deliveries (integration_id, next_at, event_id)
      where next_at is not null and owner is null`.execute(db);
  await sql`
    create index deliveries_queue on deliveries (integration_id, event_id)
      where next_at is not null`.execute(db);
  await sql`create index deliveries_owned on deliveries (owner) where owner is not null`.execute(
    db,
  );
  await sql`
    create index deliveries_records on deliveries (integration_id, created_at desc, event_id desc)
      include (project) where outcome is not null`.execute(db);
  await sql`
    create index deliveries_outcome on deliveries (integration_id, outcome, created_at desc, event_id desc)
      where outcome is not null`.execute(db);
  await sql`
    create index deliveries_type on deliveries (integration_id, event_type, created_at desc, event_id desc)
      where outcome is not null`.execute(db);
}
