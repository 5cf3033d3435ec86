import { type Kysely, sql } from 'kysely';

/**
 * Since which event evaluations give the same results: most changes to a feature itself don't affect them. And an index
 * of the features of a moment: with that of all kinds, PostgreSQL also reads every state that features ever had.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table history_states add column evaluated_from_id bigint`.execute(db);
  await sql`
    with evaluated as (
      select key, part, from_id, to_id,
        jsonb_build_array(state -> 'project', state -> 'archivedAt', state -> 'dependencies') as what
      from history_states where kind = 'feature'
    ), compared as (
      select *, (what, from_id) is not distinct from (lag(what) over earlier, lag(to_id) over earlier)
        as is_alike
      from evaluated window earlier as (partition by key, part order by from_id)
    ), since as (
      select key, part, from_id, is_alike,
        max(from_id) filter (where not is_alike) over (partition by key, part order by from_id) as id
      from compared
    )
    update history_states states set evaluated_from_id = since.id
    from since
    where states.kind = 'feature' and states.key = since.key and states.part = since.part
      and states.from_id = since.from_id and since.is_alike`.execute(db);
  await sql`
    create index history_states_feature_span_idx on history_states
      using gist (int8range(from_id, to_id)) where kind = 'feature'`.execute(db);
}
