import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // By whom a feature was asked for, hour by hour; it goes with the feature. Counts of a forgotten
  // application stay: the feature was asked for.
  await sql`
    create table usage_hours (
      feature_name text not null
        constraint usage_hours_feature_fkey references features on delete cascade,
      hour         timestamptz not null,
      environment  text not null,
      app_name     text not null,
      yes          bigint not null,
      no           bigint not null,
      constraint usage_hours_pkey primary key (feature_name, hour, environment, app_name)
    );
    create index usage_hours_hour_idx on usage_hours (hour);
    create table usage_variant_hours (
      feature_name text not null
        constraint usage_variant_hours_feature_fkey references features on delete cascade,
      hour         timestamptz not null,
      environment  text not null,
      app_name     text not null,
      variant      text not null,
      count        bigint not null,
      constraint usage_variant_hours_pkey
        primary key (feature_name, hour, environment, app_name, variant)
    );
    create index usage_variant_hours_hour_idx on usage_variant_hours (hour);`.execute(db);

  // Small tables whose rows are touched all the time: what is not in an index costs less to touch.
  await sql`
    create table applications (
      app_name    text constraint applications_pkey primary key,
      description text not null,
      url         text,
      color       text,
      icon        text,
      strategies  text[] not null,
      is_public   boolean not null,
      created_by  text not null,
      created_at  timestamptz(3) not null,
      updated_at  timestamptz(3) not null,
      seen_at     timestamptz(3) not null
    );
    create table application_instances (
      app_name     text not null
        constraint application_instances_app_fkey references applications on delete cascade,
      environment  text not null,
      instance_id  text not null,
      sdk_version  text,
      sdk_type     text,
      spec_version text,
      client_ip    text,
      created_at   timestamptz(3) not null,
      seen_at      timestamptz(3) not null,
      constraint application_instances_pkey primary key (app_name, environment, instance_id)
    );`.execute(db);

  // Through tokens for which projects an application came; * stands for all.
  await sql`
    create table application_reach (
      app_name    text not null
        constraint application_reach_app_fkey references applications on delete cascade,
      project     text not null,
      environment text not null,
      seen_at     timestamptz(3) not null,
      project_id  text generated always as (nullif(project, '*')) stored
        constraint application_reach_project_fkey references projects on delete cascade,
      constraint application_reach_pkey primary key (app_name, project, environment)
    );
    create index application_reach_project_idx on application_reach (project_id);`.execute(db);

  // What usage_hours says hour by hour, said once: which features an application asks for.
  await sql`
    create table application_features (
      app_name     text not null
        constraint application_features_app_fkey references applications on delete cascade,
      feature_name text not null
        constraint application_features_feature_fkey references features on delete cascade,
      environment  text not null,
      seen_at      timestamptz(3) not null,
      constraint application_features_pkey primary key (app_name, feature_name, environment)
    );
    create index application_features_feature_idx on application_features (feature_name);`.execute(
    db,
  );

  // Names that applications ask for and that no feature has.
  await sql`
    create table unknown_features (
      name        text not null,
      app_name    text not null,
      environment text not null,
      seen_at     timestamptz(3) not null,
      constraint unknown_features_pkey primary key (name, app_name, environment)
    );`.execute(db);
}
