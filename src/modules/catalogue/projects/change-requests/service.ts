import type { Db, Tx } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { record } from '../../../events/index.ts';
import {
  findProjectEnvironment,
  listProjectEnvironments,
  listWithChangeRequests,
  updateChangeRequestConfig,
} from '../environments/queries.ts';
import { changeRequestConfigurationUpdated } from '../events.ts';
import { lockActiveProject } from '../lock.ts';
import { touchProjects } from '../queries.ts';
import type { ChangeRequestConfig, SetChangeRequestConfig } from './contract.ts';
import { type ChangeRequestSettings, limitedApprovals } from './settings.ts';

export async function listChangeRequestConfig(
  db: Db,
  project: string,
): Promise<ChangeRequestConfig[]> {
  const environments = await listProjectEnvironments(db, project);
  return environments.map(({ name, type, changeRequestsEnabled, requiredApprovals }) => ({
    environment: name,
    type,
    changeRequestEnabled: changeRequestsEnabled,
    requiredApprovals,
  }));
}

export interface ChangeRequestEnvironment {
  readonly project: string;
  readonly environment: string;
}

/** The environments of these projects in which changes need approval: production first. */
export const listChangeRequestEnvironments = (
  db: Db,
  projects: readonly string[],
): Promise<ChangeRequestEnvironment[]> => listWithChangeRequests(db, projects);

/** Where a change request is proposed. */
export const changeRequestsPath = ({ project, environment }: ChangeRequestEnvironment): string =>
  `/api/admin/projects/${encodeURIComponent(project)}/environments/${encodeURIComponent(environment)}/change-requests`;

/** Whether changes of a project need approval in an environment; undefined if the project doesn't have it. */
export async function findChangeRequestSettings(
  db: Db,
  { project, environment }: ChangeRequestEnvironment,
): Promise<ChangeRequestSettings | undefined> {
  const found = await findProjectEnvironment(db, project, environment);
  if (!found) return undefined;
  const { changeRequestsEnabled, requiredApprovals } = found;
  return { changeRequestsEnabled, requiredApprovals };
}

/**
 * Changes in progress hold a lock on the membership (`governance/guard`): this waits for them, and later ones see the
 * new settings.
 */
export async function setChangeRequestConfig(
  tx: Tx,
  membership: ChangeRequestEnvironment,
  input: SetChangeRequestConfig,
): Promise<void> {
  await lockActiveProject(tx, membership.project);
  const before = await findChangeRequestSettings(tx.db, membership);
  if (!before) throw notFound('environment', membership.environment);
  const { changeRequestsEnabled } = input;
  const wanted = limitedApprovals(input.requiredApprovals);
  const after = {
    changeRequestsEnabled,
    requiredApprovals: changeRequestsEnabled ? (wanted ?? before.requiredApprovals ?? 1) : wanted,
  };
  const isSame =
    after.changeRequestsEnabled === before.changeRequestsEnabled &&
    after.requiredApprovals === before.requiredApprovals;
  if (isSame) return;
  await updateChangeRequestConfig(tx, { ...membership, ...after });
  await touchProjects(tx, [membership.project]);
  record(tx, changeRequestConfigurationUpdated({ ...membership, data: after, preData: before }));
}
