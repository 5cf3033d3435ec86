import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { DefaultStrategy } from '../contract/strategy.ts';

const selectEnvironments = (db: Db, project: string) =>
  db
    .selectFrom('project_environments as own')
    .innerJoin('environments', 'environments.name', 'own.environment')
    .innerJoin('projects', 'projects.id', 'own.project')
    .where('own.project', '=', project)
    .select([
      'environments.name',
      'environments.type',
      'environments.enabled',
      'environments.protected',
      'environments.sort_order as sortOrder',
      'own.default_strategy as storedStrategy',
      'projects.default_stickiness as defaultStickiness',
    ])
    .orderBy('environments.sort_order')
    .orderBy('environments.name');

export const listProjectEnvironments = (db: Db, project: string) =>
  selectEnvironments(db, project).execute();

export type ProjectEnvironment = Awaited<ReturnType<typeof listProjectEnvironments>>[number];

export const findProjectEnvironment = (db: Db, project: string, environment: string) =>
  selectEnvironments(db, project).where('own.environment', '=', environment).executeTakeFirst();

export interface Membership {
  readonly project: string;
  readonly environment: string;
  readonly defaultStrategy: DefaultStrategy | null;
}

export const insertMemberships = (tx: Tx, memberships: readonly Membership[]) =>
  tx.db
    .insertInto('project_environments')
    .values(
      memberships.map(({ project, environment, defaultStrategy }) => ({
        project,
        environment,
        default_strategy: defaultStrategy && JSON.stringify(defaultStrategy),
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
  strategy: DefaultStrategy,
) =>
  tx.db
    .updateTable('project_environments')
    .set({ default_strategy: JSON.stringify(strategy) })
    .where('project', '=', project)
    .where('environment', '=', environment)
    .execute();

/**
 * The living projects that have an environment (of those named, unless none is), locked in the
 * order of their ids.
 */
export const lockProjectsWith = (tx: Tx, environment: string, named: readonly string[]) =>
  tx.db
    .selectFrom('projects')
    .innerJoin('project_environments as own', 'own.project', 'projects.id')
    .where('own.environment', '=', environment)
    .where('projects.archived_at', 'is', null)
    .$if(named.length > 0, (query) =>
      query.where(sql<boolean>`projects.id = any(${named}::text[])`),
    )
    .select(['projects.id', 'own.default_strategy as defaultStrategy'])
    .orderBy('projects.id')
    .forNoKeyUpdate()
    .execute();
