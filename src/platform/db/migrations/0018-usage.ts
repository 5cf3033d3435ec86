import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // By whom a feature was asked for, hour by hour; it goes with the feature.
  await sql`
    create table usage_hours (
      feature_name text not null
        constraint usage_hours_feature_fkey references features on delete cascade,
      environment  text not null,
      app_name     text not null,
      hour         timestamptz not null,
      yes          bigint not null,
      no           bigint not null,
      constraint usage_hours_pkey primary key (feature_name, environment, app_name, hour)
    );
    create index usage_hours_hour_idx on usage_hours (hour);
    create index usage_hours_app_idx on usage_hours (app_name, feature_name);
    create table usage_variant_hours (
      feature_name text not null
        constraint usage_variant_hours_feature_fkey references features on delete cascade,
      environment  text not null,
      app_name     text not null,
      hour         timestamptz not null,
      variant      text not null,
      count        bigint not null,
      constraint usage_variant_hours_pkey
        primary key (feature_name, environment, app_name, hour, variant)
    );
    create index usage_variant_hours_hour_idx on usage_variant_hours (hour);`.execute(db);

  await sql`
    create table applications (
      app_name    text constraint applications_pkey primary key,
      description text not null,
      url         text,
      color       text,
      icon        text,
      strategies  text[] not null,
      created_by  text not null,
      created_at  timestamptz(3) not null,
      updated_at  timestamptz(3) not null,
      seen_at     timestamptz(3) not null
    );
    create table application_instances (
      app_name    text not null
        constraint application_instances_app_fkey references applications on delete cascade,
      environment text not null,
      instance_id text not null,
      sdk_version text,
      client_ip   text,
      created_at  timestamptz(3) not null,
      seen_at     timestamptz(3) not null,
      constraint application_instances_pkey primary key (app_name, environment, instance_id)
    );
    create index application_instances_seen_idx on application_instances (seen_at);`.execute(db);

  // Names that applications ask for and that no feature has.
  await sql`
    create table unknown_features (
      name        text not null,
      app_name    text not null,
      environment text not null,
      seen_at     timestamptz(3) not null,
      constraint unknown_features_pkey primary key (name, app_name, environment)
    );
    create index unknown_features_seen_idx on unknown_features (seen_at);`.execute(db);
}
