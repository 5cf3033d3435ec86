import type { Db, Tx } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { record } from '../../../events/index.ts';
import {
  findProjectEnvironment,
  listProjectEnvironments,
  updateRequiredApprovals,
} from '../environments/queries.ts';
import { changeRequestConfigurationUpdated } from '../events.ts';
import { lockActiveProject } from '../lock.ts';
import { touchProjects } from '../queries.ts';
import type { ChangeRequestConfig, SetChangeRequestConfig } from './contract.ts';

export async function listChangeRequestConfig(
  db: Db,
  project: string,
): Promise<ChangeRequestConfig[]> {
  const environments = await listProjectEnvironments(db, project);
  return environments.map(({ name, type, requiredApprovals }) => ({
    environment: name,
    type,
    changeRequestEnabled: false,
    requiredApprovals,
  }));
}

/** The contract refuses to enable them. The number is stored for when they exist. */
export async function setChangeRequestConfig(
  tx: Tx,
  membership: { readonly project: string; readonly environment: string },
  input: SetChangeRequestConfig,
): Promise<void> {
  await lockActiveProject(tx, membership.project);
  const found = await findProjectEnvironment(tx.db, membership.project, membership.environment);
  if (!found) throw notFound('environment', membership.environment);
  const before = found.requiredApprovals;
  const requiredApprovals = input.requiredApprovals || null;
  if (requiredApprovals === before) return;
  await updateRequiredApprovals(tx, membership, requiredApprovals);
  await touchProjects(tx, [membership.project]);
  const changeRequestsEnabled = false;
  record(
    tx,
    changeRequestConfigurationUpdated({
      ...membership,
      data: { changeRequestsEnabled, requiredApprovals },
      preData: { changeRequestsEnabled, requiredApprovals: before },
    }),
  );
}
