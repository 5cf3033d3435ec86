import { type Kysely, sql } from 'kysely';

/**
 * The states that things had, computed from the event log. A state counts from its event on, up to the event before
 * `to_id`; the current one has none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table history_states (
      kind    text not null,
      key     text not null,
      -- The environment, user or group of something that has one state for each; otherwise empty.
      part    text not null,
      from_id bigint not null,
      to_id   bigint,
      state   jsonb not null,
      constraint history_states_pkey primary key (kind, key, part, from_id),
      constraint history_states_span_check check (to_id > from_id)
    );
    create unique index history_states_current_key on history_states (kind, key, part)
      where to_id is null;
    create index history_states_span_idx on history_states using gist (int8range(from_id, to_id));`.execute(
    db,
  );

  await sql`
    -- The events between which the states are unknown: from the first one, up to the one before the last.
    create table history_gaps (
      from_id bigint not null constraint history_gaps_pkey primary key,
      to_id   bigint not null,
      reason  text not null
        constraint history_gaps_reason_check check (reason in ('beginning', 'import', 'unknown'))
    );
    -- No event up to this one was recorded after this time, apart from imported ones. Not for every event.
    create table history_moments (
      event_id bigint not null constraint history_moments_pkey primary key,
      at       timestamptz not null
    );
    create index history_moments_at_idx on history_moments (at, event_id);
    create table history_progress (
      single   boolean not null default true
        constraint history_progress_pkey primary key
        constraint history_progress_single_check check (single),
      -- The last event that the states contain.
      event_id bigint not null
    );`.execute(db);
}
