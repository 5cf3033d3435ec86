import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import type { ChangeRequestRules } from '../change-requests/contract.ts';
import { enabledFeatures } from '../feature-counts.ts';
import type { DefaultStrategy } from './default-strategy-schema.ts';

const selectEnvironments = (db: Db, project: string) =>
  db
    .selectFrom('project_environments as pe')
    .innerJoin('environments', 'environments.name', 'pe.environment')
    .innerJoin('projects', 'projects.id', 'pe.project')
    .where('pe.project', '=', project)
    .select([
      'environments.name',
      'environments.type',
      'environments.enabled',
      'environments.protected',
      'environments.sort_order as sortOrder',
      'pe.default_strategy as storedStrategy',
      'pe.change_requests_enabled as changeRequestsEnabled',
      'pe.required_approvals as requiredApprovals',
      'pe.change_request_rules as rules',
      'projects.default_stickiness as defaultStickiness',
    ])
    .orderBy('environments.sort_order')
    .orderBy('environments.name');

export const listProjectEnvironments = (db: Db, project: string) =>
  selectEnvironments(db, project).execute();

/** With the number of enabled active features and of valid tokens of the project in each. */
export const listCountedEnvironments = (db: Db, project: string, now: Date) =>
  selectEnvironments(db, project)
    .leftJoin(enabledFeatures(project).as('switched'), 'switched.environment', 'environments.name')
    .select(({ fn, val }) => fn.coalesce('switched.count', val(0)).as('projectEnabledToggleCount'))
    .select(
      sql<number>`(
        select count(*)::int from api_tokens token
        where token.environment = environments.name and ${project} = any(token.projects)
          and token.revoked_at is null
          and (token.expires_at is null or token.expires_at > ${now}::timestamptz)
      )`.as('projectApiTokenCount'),
    )
    .execute();

export type ProjectEnvironment = Awaited<ReturnType<typeof listProjectEnvironments>>[number];

export const findProjectEnvironment = (db: Db, project: string, environment: string) =>
  selectEnvironments(db, project).where('pe.environment', '=', environment).executeTakeFirst();

export interface Membership {
  readonly project: string;
  readonly environment: string;
  readonly defaultStrategy: DefaultStrategy | null;
  readonly changeRequestsEnabled: boolean;
  readonly requiredApprovals: number | null;
  readonly rules: ChangeRequestRules | null;
}

export const insertMemberships = (tx: Tx, memberships: readonly Membership[]) =>
  tx.db
    .insertInto('project_environments')
    .values(
      memberships.map((membership) => ({
        project: membership.project,
        environment: membership.environment,
        default_strategy: membership.defaultStrategy && JSON.stringify(membership.defaultStrategy),
        change_requests_enabled: membership.changeRequestsEnabled,
        required_approvals: membership.requiredApprovals,
        change_request_rules: membership.rules && JSON.stringify(membership.rules),
      })),
    )
    .execute();

export const deleteMembership = (tx: Tx, project: string, environment: string) =>
  tx.db
    .deleteFrom('project_environments')
    .where('project', '=', project)
    .where('environment', '=', environment)
    .execute();

export const updateDefaultStrategy = (
  tx: Tx,
  { project, environment }: Pick<Membership, 'project' | 'environment'>,
  strategy: DefaultStrategy | null,
) =>
  tx.db
    .updateTable('project_environments')
    .set({ default_strategy: strategy && JSON.stringify(strategy) })
    .where('project', '=', project)
    .where('environment', '=', environment)
    .execute();

export const updateChangeRequestConfig = (
  tx: Tx,
  {
    project,
    environment,
    changeRequestsEnabled,
    requiredApprovals,
    rules,
  }: Omit<Membership, 'defaultStrategy'>,
) =>
  tx.db
    .updateTable('project_environments')
    .set({
      change_requests_enabled: changeRequestsEnabled,
      required_approvals: requiredApprovals,
      change_request_rules: rules && JSON.stringify(rules),
    })
    .where('project', '=', project)
    .where('environment', '=', environment)
    .execute();

export const listWithChangeRequests = (db: Db, projects: readonly string[]) =>
  db
    .selectFrom('project_environments as pe')
    .innerJoin('environments', 'environments.name', 'pe.environment')
    .where(sql<boolean>`pe.project = any(${projects}::text[])`)
    .where('pe.change_requests_enabled', '=', true)
    .select(['pe.project', 'pe.environment'])
    .orderBy(sql`environments.type = 'production'`, 'desc')
    .orderBy('environments.sort_order')
    .orderBy('pe.environment')
    .orderBy('pe.project')
    .execute();

/**
 * Closes the active projects with an environment (of `named`, unless it is empty), in the order of their ids. It does
 * not lock their memberships: a change of a feature locks one after the feature.
 */
export const closeProjectsWith = (tx: Tx, environment: string, named: readonly string[]) =>
  tx.db
    .selectFrom('projects')
    .innerJoin('project_environments as pe', 'pe.project', 'projects.id')
    .where('pe.environment', '=', environment)
    .where('projects.archived_at', 'is', null)
    .$if(named.length > 0, (query) =>
      query.where(sql<boolean>`projects.id = any(${named}::text[])`),
    )
    .select('projects.id')
    .orderBy('projects.id')
    .forUpdate('projects')
    .execute();

export async function listProjectsWith(db: Db, environment: string): Promise<string[]> {
  const rows = await db
    .selectFrom('project_environments')
    .where('environment', '=', environment)
    .select('project')
    .orderBy('project')
    .execute();
  return rows.map(({ project }) => project);
}

/** Which of these projects have an environment, with its default strategy and its change request settings. */
export const listMemberships = (db: Db, environment: string, projects: readonly string[]) =>
  db
    .selectFrom('project_environments')
    .where('environment', '=', environment)
    .where(sql<boolean>`project = any(${projects}::text[])`)
    .select([
      'project',
      'default_strategy as defaultStrategy',
      'change_requests_enabled as changeRequestsEnabled',
      'required_approvals as requiredApprovals',
      'change_request_rules as rules',
    ])
    .orderBy('project')
    .execute();
