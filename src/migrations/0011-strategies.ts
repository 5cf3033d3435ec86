import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // Ids are text: an address with anything else in it is of nothing, and not a failed cast.
  await sql`
    create table feature_strategies (
      id           text constraint feature_strategies_pkey primary key,
      feature_name text not null
        constraint feature_strategies_feature_fkey references features on delete cascade,
      environment  text not null
        constraint feature_strategies_environment_fkey references environments,
      name         text not null
        constraint feature_strategies_name_fkey references strategy_types,
      title        text,
      disabled     boolean not null,
      sort_order   integer not null,
      parameters   json not null,
      constraints  json not null,
      variants     json not null,
      created_at   timestamptz(3) not null
    );
    create index feature_strategies_feature_idx on feature_strategies (feature_name, environment);
    create index feature_strategies_name_idx on feature_strategies (name);
    create table feature_strategy_segments (
      strategy_id text not null constraint feature_strategy_segments_strategy_fkey
        references feature_strategies on delete cascade,
      segment_id  integer not null
        constraint feature_strategy_segments_segment_fkey references segments,
      constraint feature_strategy_segments_pkey primary key (strategy_id, segment_id)
    );
    create index feature_strategy_segments_segment_idx on feature_strategy_segments (segment_id);`.execute(
    db,
  );
}
