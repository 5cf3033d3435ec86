import { type Kysely, sql } from 'kysely';

/** The evaluations of each feature, of all applications and environments together. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table evaluation_hours (
      feature_name text not null
        constraint evaluation_hours_feature_fkey references features on delete cascade,
      hour         timestamptz(3) not null,
      yes          bigint not null,
      no           bigint not null,
      constraint evaluation_hours_pkey primary key (feature_name, hour)
    );
    create index evaluation_hours_hour_idx on evaluation_hours (hour);
    insert into evaluation_hours
    select feature_name, hour, least(sum(yes), 9000000000000000), least(sum(no), 9000000000000000)
    from usage_hours group by feature_name, hour;`.execute(db);
}
