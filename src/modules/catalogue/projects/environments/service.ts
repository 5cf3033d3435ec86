import { isDeepStrictEqual } from 'node:util';
import { explained } from '../../../../platform/db/constraint.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { badData, nameExists, notFound } from '../../../../platform/errors.ts';
import { defineHook, type RunHook } from '../../../../platform/hooks.ts';
import { record } from '../../../events/index.ts';
import { expressionFaults, legalValueFaults } from '../../context-fields/index.ts';
import { type Environment, lockEnvironments } from '../../environments/index.ts';
import { segmentFaults } from '../../segments/index.ts';
import {
  type ChangeRequestSettings,
  inheritedSettings,
  settingFacts,
} from '../change-requests/settings.ts';
import {
  defaultStrategyUpdated,
  projectEnvironmentAdded,
  projectEnvironmentRemoved,
} from '../events.ts';
import { lockActiveProject, lockExistingProject } from '../lock.ts';
import { touchProjects } from '../queries.ts';
import { completeDefaultStrategy, effectiveStrategy } from './default-strategy.ts';
import type { DefaultStrategy, SetDefaultStrategy } from './default-strategy-schema.ts';
import {
  closeProjectsWith,
  deleteMembership,
  findProjectEnvironment,
  insertMemberships,
  listMemberships,
  updateDefaultStrategy,
} from './queries.ts';

/**
 * Adds the copy of an environment to the projects that have the original, with its default strategy and its change
 * request settings.
 */
export async function addClonedEnvironment(
  tx: Tx,
  {
    source,
    copy,
    projects: named,
  }: {
    readonly source: string;
    readonly copy: Environment;
    readonly projects: readonly string[];
  },
): Promise<void> {
  const closed = (await closeProjectsWith(tx, source, named)).map(({ id }) => id);
  const memberships = await listMemberships(tx.db, source, closed);
  const owningProjects = new Set(memberships.map(({ project }) => project));
  const faults = named.flatMap((id, index) =>
    owningProjects.has(id)
      ? []
      : [
          {
            path: `/body/projects/${index}`,
            message: `Project '${id}' with environment '${source}' not found`,
          },
        ],
  );
  if (faults.length > 0) throw badData(faults);
  if (memberships.length === 0) return;
  await insertMemberships(
    tx,
    memberships.map((membership) => ({ ...membership, environment: copy.name })),
  );
  await touchProjects(tx, [...owningProjects]);
  for (const { project, defaultStrategy, ...settings } of memberships) {
    const membership = { project, environment: copy.name };
    record(tx, projectEnvironmentAdded({ ...membership, data: givenSettings(settings) }));
    if (defaultStrategy)
      record(tx, defaultStrategyUpdated({ ...membership, data: defaultStrategy }));
  }
}

interface NewProjectEnvironment {
  readonly environment: string;
  /** Omitted or null: the default of the environment. */
  readonly changeRequestsEnabled?: boolean | null;
}

export async function addEnvironment(
  tx: Tx,
  project: string,
  { environment: name, changeRequestsEnabled }: NewProjectEnvironment,
): Promise<void> {
  await lockActiveProject(tx, project);
  const [environment] = await lockEnvironments(tx, [name], 'use');
  if (!environment) throw notFound('environment', name);
  const inherited = inheritedSettings(environment);
  const settings = {
    changeRequestsEnabled: changeRequestsEnabled ?? inherited.changeRequestsEnabled,
    requiredApprovals: inherited.requiredApprovals ?? (changeRequestsEnabled ? 1 : null),
    rules: inherited.rules,
  };
  const membership = { project, environment: name };
  await explained(insertMemberships(tx, [{ ...membership, defaultStrategy: null, ...settings }]), {
    project_environments_pkey: () =>
      nameExists(`The project '${project}' already has the environment '${name}'`),
  });
  await touchProjects(tx, [project]);
  record(tx, projectEnvironmentAdded({ ...membership, data: givenSettings(settings) }));
}

/** The event has them if they differ from those that an environment has without any. */
const givenSettings = (settings: ChangeRequestSettings) =>
  settings.changeRequestsEnabled || settings.requiredApprovals !== null || settings.rules !== null
    ? settingFacts(settings)
    : null;

/** A project is about to lose an environment. Modules delete their data of it first. The project is closed. */
export const removingEnvironment = defineHook<{
  readonly project: string;
  readonly environment: string;
}>('removingEnvironment', 'highest first');

/** Works for archived projects too: otherwise an environment that only such a project has could never be deleted. */
export async function removeEnvironment(
  tx: Tx,
  membership: { readonly project: string; readonly environment: string },
  runHook: RunHook,
): Promise<void> {
  const { project, environment } = membership;
  await lockExistingProject(tx, project, 'close');
  const removed = await findProjectEnvironment(tx.db, project, environment);
  if (!removed) throw notFound('environment', environment);
  await runHook(removingEnvironment, tx, membership);
  await deleteMembership(tx, project, environment);
  await touchProjects(tx, [project]);
  const preData = removed.storedStrategy && { defaultStrategy: removed.storedStrategy };
  record(tx, projectEnvironmentRemoved({ project, environment, preData }));
}

export async function setDefaultStrategy(
  tx: Tx,
  membership: { project: string; environment: string },
  input: SetDefaultStrategy,
  /** It was stored before, here or in another installation, in which its values were legal once. */
  { isStored = false }: { readonly isStored?: boolean } = {},
): Promise<DefaultStrategy> {
  const { defaultStickiness } = await lockActiveProject(tx, membership.project);
  const found = await findProjectEnvironment(tx.db, membership.project, membership.environment);
  if (!found) throw notFound('environment', membership.environment);
  const strategy = completeDefaultStrategy(input, { isStored });
  const faults = [
    ...(await segmentFaults(tx, input.segments ?? [], membership.project, '/body/segments')),
    ...expressionFaults(
      strategy.constraints,
      '/body/constraints',
      found.storedStrategy?.constraints,
    ),
    ...(isStored
      ? []
      : await legalValueFaults(
          tx.db,
          strategy.constraints,
          '/body/constraints',
          found.storedStrategy?.constraints,
        )),
  ];
  if (faults.length > 0) throw badData(faults);
  if (!isDeepStrictEqual(strategy, found.storedStrategy)) {
    await updateDefaultStrategy(tx, membership, strategy);
    await touchProjects(tx, [membership.project]);
    record(
      tx,
      defaultStrategyUpdated({ ...membership, data: strategy, preData: found.storedStrategy }),
    );
  }
  return effectiveStrategy(strategy, defaultStickiness);
}

/** New features get the usual strategy again. */
export async function removeDefaultStrategy(
  tx: Tx,
  membership: { readonly project: string; readonly environment: string },
): Promise<void> {
  const { defaultStickiness } = await lockActiveProject(tx, membership.project);
  const found = await findProjectEnvironment(tx.db, membership.project, membership.environment);
  if (!found?.storedStrategy) return;
  await updateDefaultStrategy(tx, membership, null);
  await touchProjects(tx, [membership.project]);
  const data = { ...effectiveStrategy(null, defaultStickiness), builtIn: true } as const;
  record(tx, defaultStrategyUpdated({ ...membership, data, preData: found.storedStrategy }));
}
