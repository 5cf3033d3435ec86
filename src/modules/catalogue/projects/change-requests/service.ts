import { isDeepStrictEqual } from 'node:util';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, notFound } from '../../../../platform/errors.ts';
import { defineHook, type RunHook } from '../../../../platform/hooks.ts';
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
import type {
  ChangeRequestConfig,
  ChangeRequestRules,
  SetChangeRequestConfig,
} from './contract.ts';
import { findApprovers } from './queries.ts';
import {
  type ChangeRequestSettings,
  changedRules,
  limitedApprovals,
  settingFacts,
  usualRules,
} from './settings.ts';

type Approvers = ChangeRequestRules['approvers'];

export async function listChangeRequestConfig(
  db: Db,
  project: string,
): Promise<ChangeRequestConfig[]> {
  const environments = await listProjectEnvironments(db, project);
  return environments.map(({ name, type, changeRequestsEnabled, requiredApprovals, rules }) => ({
    environment: name,
    type,
    changeRequestEnabled: changeRequestsEnabled,
    requiredApprovals,
    rules: rules ?? usualRules,
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
  const { changeRequestsEnabled, requiredApprovals, rules } = found;
  return { changeRequestsEnabled, requiredApprovals, rules };
}

/** The settings of an environment have changed, in the same transaction. */
export const changedChangeRequestSettings = defineHook<ChangeRequestEnvironment>(
  'changedChangeRequestSettings',
  'lowest first',
);

/** Approvers who were deleted can stay, so that the others can be changed. */
async function refuseUnknownApprovers(
  tx: Tx,
  wanted: Approvers,
  before: Approvers | undefined,
): Promise<void> {
  const known = await findApprovers(tx.db, wanted);
  const faults = (['users', 'groups', 'roles'] as const).flatMap((kind) =>
    wanted[kind].flatMap((id, index) => {
      if (known[kind].includes(id) || before?.[kind].includes(id)) return [];
      const path = `/body/rules/approvers/${kind}/${index}`;
      return [{ path, message: `${path}: ${kind.slice(0, -1)} ${id} not found` }];
    }),
  );
  if (faults.length > 0) throw badData(faults);
}

/**
 * Changes in progress hold a lock on the membership (`governance/guard`): this waits for them, and later ones see the
 * new settings.
 */
export async function setChangeRequestConfig(
  tx: Tx,
  membership: ChangeRequestEnvironment,
  input: SetChangeRequestConfig,
  runHook: RunHook,
): Promise<void> {
  await lockActiveProject(tx, membership.project);
  const before = await findChangeRequestSettings(tx.db, membership);
  if (!before) throw notFound('environment', membership.environment);
  const { changeRequestsEnabled } = input;
  const wanted = limitedApprovals(input.requiredApprovals);
  const { approvers } = input.rules ?? {};
  if (approvers) await refuseUnknownApprovers(tx, approvers, before.rules?.approvers);
  const after = {
    changeRequestsEnabled,
    requiredApprovals: changeRequestsEnabled ? (wanted ?? before.requiredApprovals ?? 1) : wanted,
    rules: changedRules(before.rules, input.rules),
  };
  if (isDeepStrictEqual(after, before)) return;
  await updateChangeRequestConfig(tx, { ...membership, ...after });
  await touchProjects(tx, [membership.project]);
  await runHook(changedChangeRequestSettings, tx, membership);
  record(
    tx,
    changeRequestConfigurationUpdated({
      ...membership,
      data: settingFacts(after),
      preData: settingFacts(before),
    }),
  );
}
