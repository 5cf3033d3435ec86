import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table feature_types (
      id            text constraint feature_types_pkey primary key,
      name          text not null,
      description   text not null,
      lifetime_days integer constraint feature_types_lifetime_check check (lifetime_days > 0),
      sort_order    integer not null
    )`.execute(db);

  // One name space over all projects and the archive: the primary key is the whole rule.
  await sql`
    create table features (
      name               text constraint features_pkey primary key,
      project            text not null constraint features_project_fkey references projects,
      type               text not null constraint features_type_fkey references feature_types,
      description        text not null,
      impression_data    boolean not null,
      stale              boolean not null,
      created_by         text not null,
      created_by_user_id integer not null,
      created_at         timestamptz(3) not null,
      archived_at        timestamptz(3)
    );
    create index features_living_idx on features (project, name) where archived_at is null;
    create index features_archived_idx on features (project, name) where archived_at is not null;`.execute(
    db,
  );

  // Only what somebody set: a feature lives in the environments of its project, off and without
  // variants where it has no row.
  await sql`
    create table feature_environments (
      feature_name text not null
        constraint feature_environments_feature_fkey references features on delete cascade,
      environment  text not null
        constraint feature_environments_environment_fkey references environments,
      enabled      boolean not null default false,
      variants     json not null default '[]',
      last_seen_at timestamptz(3),
      constraint feature_environments_pkey primary key (feature_name, environment)
    );
    create index feature_environments_environment_idx
      on feature_environments (environment, feature_name);`.execute(db);

  await sql`
    create table feature_lifecycles (
      feature_name text not null
        constraint feature_lifecycles_feature_fkey references features on delete cascade,
      stage        text not null constraint feature_lifecycles_stage_check
        check (stage in ('initial', 'pre-live', 'live', 'completed', 'archived')),
      status       text,
      status_value text,
      entered_at   timestamptz(3) not null,
      constraint feature_lifecycles_pkey primary key (feature_name, stage)
    )`.execute(db);

  // A parent with children cannot be deleted: the foreign key without cascade says so last.
  await sql`
    create table feature_dependencies (
      child    text not null
        constraint feature_dependencies_child_fkey references features on delete cascade,
      parent   text not null constraint feature_dependencies_parent_fkey references features,
      enabled  boolean not null,
      variants text[] not null,
      constraint feature_dependencies_pkey primary key (child, parent)
    );
    create index feature_dependencies_parent_idx on feature_dependencies (parent);`.execute(db);

  await sql`
    create table feature_favorites (
      feature_name text not null
        constraint feature_favorites_feature_fkey references features on delete cascade,
      user_id      integer not null,
      created_at   timestamptz(3) not null,
      constraint feature_favorites_pkey primary key (feature_name, user_id)
    );
    create table project_favorites (
      project    text not null
        constraint project_favorites_project_fkey references projects on delete cascade,
      user_id    integer not null,
      created_at timestamptz(3) not null,
      constraint project_favorites_pkey primary key (project, user_id)
    )`.execute(db);
}
