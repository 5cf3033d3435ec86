import { type Kysely, sql } from 'kysely';

/** What edges last reported about themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table edges (
      identifier        text not null constraint edges_pkey primary key,
      parent            text,
      instance_id       text,
      app_name          text not null,
      version           text not null,
      region            text,
      environment       text,
      started_at        timestamptz(3),
      reported_at       timestamptz(3) not null,
      previous_at       timestamptz(3),
      state_age_seconds float8,
      connected_clients float8 not null,
      requests          float8,
      memory_bytes      float8,
      features_ms       float8,
      features_p99_ms   float8,
      metrics_ms        float8,
      metrics_p99_ms    float8
    );
    create index edges_reported_idx on edges (reported_at);`.execute(db);
}
