import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';

/** Everything else in a project, with archived features. */
export async function findContent(db: Db, project: string) {
  const { rows } = await sql<{ features: string[]; segments: string[]; tokens: number }>`
    select
      array(select name from features where project = ${project} order by name) as features,
      array(select name from segments where project = ${project} order by name) as segments,
      (select count(*)::int from api_tokens
        where ${project} = any(projects) and revoked_at is null) as tokens`.execute(db);
  return rows[0] as (typeof rows)[number];
}

/** The features of a project that have something in an environment, with archived ones. */
export async function listFeaturesIn(
  db: Db,
  { project, environment }: { readonly project: string; readonly environment: string },
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select feature.name from features feature
    where feature.project = ${project} and (
      exists (select from feature_strategies strategy
        where strategy.feature_name = feature.name and strategy.environment = ${environment})
      or exists (select from feature_environments state
        where state.feature_name = feature.name and state.environment = ${environment}
          and (state.enabled or state.variants::text <> '[]')))
    order by feature.name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Tokens for an environment, and roles with permissions in it. */
export async function findUsersOfEnvironment(db: Db, environment: string) {
  const { rows } = await sql<{ roles: string[]; tokens: number }>`
    select
      array(select name from roles role
        where exists (select from role_permissions held
          where held.role_id = role.id and held.environment = ${environment})
        order by name) as roles,
      (select count(*)::int from api_tokens
        where environment = ${environment} and revoked_at is null) as tokens`.execute(db);
  return rows[0] as (typeof rows)[number];
}

/** The projects in which a group has a role, and the features that it owns. */
export async function findHoldingsOf(db: Db, group: number) {
  const { rows } = await sql<{ projects: string[]; features: string[] }>`
    select
      array(select distinct project from project_group_roles
        where group_id = ${group} order by project) as projects,
      array(select feature_name from feature_owners
        where type = 'group' and id = ${group} order by feature_name) as features`.execute(db);
  return rows[0] as (typeof rows)[number];
}
