import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table feature_links (
      id           text constraint feature_links_pkey primary key,
      feature_name text not null
        constraint feature_links_feature_fkey references features on delete cascade,
      url          text not null,
      title        text,
      sort_order   integer not null
    );
    create index feature_links_feature_idx on feature_links (feature_name, sort_order);`.execute(
    db,
  );
}
