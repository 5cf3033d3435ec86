import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table projects (
      id                         text constraint projects_pkey primary key,
      name                       text not null,
      description                text not null default '',
      mode                       text not null default 'open'
        constraint projects_mode_check check (mode in ('open', 'protected', 'private')),
      default_stickiness         text not null default 'default',
      feature_limit              integer
        constraint projects_feature_limit_check check (feature_limit >= 0),
      feature_naming_pattern     text,
      feature_naming_example     text,
      feature_naming_description text,
      created_at                 timestamptz(3) not null,
      updated_at                 timestamptz(3) not null,
      archived_at                timestamptz(3),
      constraint projects_feature_naming_check check (
        feature_naming_pattern is not null
        or (feature_naming_example is null and feature_naming_description is null)
      )
    )`.execute(db);

  // An environment goes only when no project has it any more; a project takes its list along.
  await sql`
    create table project_environments (
      project          text not null
        constraint project_environments_project_fkey references projects on delete cascade,
      environment      text not null
        constraint project_environments_environment_fkey references environments,
      default_strategy json,
      constraint project_environments_pkey primary key (project, environment)
    );
    create index project_environments_environment_idx on project_environments (environment);`.execute(
    db,
  );
}
