import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // What people said of the age of a feature: not before this day, or never.
  await sql`
    create table feature_reviews (
      feature_name  text constraint feature_reviews_pkey primary key
        constraint feature_reviews_feature_fkey references features on delete cascade,
      permanent     boolean not null,
      snoozed_until timestamptz(3),
      reason        text not null,
      reviewed_by   text not null,
      reviewed_by_user_id integer not null,
      reviewed_at   timestamptz(3) not null
    )`.execute(db);

  // Of which features the log says that they are potentially stale.
  await sql`
    create table potentially_stale_features (
      feature_name text constraint potentially_stale_features_pkey primary key
        constraint potentially_stale_features_feature_fkey references features on delete cascade,
      since        timestamptz(3) not null
    )`.execute(db);
}
