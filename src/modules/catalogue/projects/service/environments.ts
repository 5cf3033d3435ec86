import { isDeepStrictEqual } from 'node:util';
import { explained } from '../../../../platform/db/constraint.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { badData, nameExists, notFound } from '../../../../platform/errors.ts';
import { record } from '../../../events/index.ts';
import { expressionFaults, legalValueFaults } from '../../context-fields/index.ts';
import { createEnvironment, type Environment, getEnvironment } from '../../environments/index.ts';
import { segmentFaults } from '../../segments/index.ts';
import type { DefaultStrategy, SetDefaultStrategy } from '../contract/strategy.ts';
import { completeDefault, effectiveStrategy } from '../default-strategy.ts';
import {
  defaultStrategyUpdated,
  projectEnvironmentAdded,
  projectEnvironmentRemoved,
} from '../events.ts';
import {
  closeProjectsWith,
  deleteMembership,
  findProjectEnvironment,
  insertMemberships,
  listMemberships,
  updateDefaultStrategy,
} from '../queries/environments.ts';
import { touchProjects } from '../queries/project.ts';
import { getLivingProject, getProject } from './project.ts';

interface EnvironmentCopy {
  readonly name: string;
  readonly type?: string | undefined;
  /** The projects that shall get the copy; none, or left out: all that have the original. */
  readonly projects?: readonly string[] | undefined;
}

/**
 * Copies an environment, with its default strategy in each project that has it. Tells which projects
 * got the copy: they are closed until the transaction ends.
 */
export async function copyEnvironment(
  tx: Tx,
  source: string,
  { name, type, projects: named = [] }: EnvironmentCopy,
): Promise<{ copy: Environment; projects: string[] }> {
  const original = await getEnvironment(tx, source, 'use');
  const closed = (await closeProjectsWith(tx, source, named)).map(({ id }) => id);
  const memberships = await listMemberships(tx.db, source, closed);
  const projects = memberships.map(({ project }) => project);
  const having = new Set(projects);
  const faults = named.flatMap((id, index) =>
    having.has(id)
      ? []
      : [
          {
            path: `/body/projects/${index}`,
            message: `There is no project '${id}' with the environment '${source}'`,
          },
        ],
  );
  if (faults.length > 0) throw badData(faults);
  const { enabled } = original;
  const copy = await createEnvironment(tx, { name, type: type ?? original.type, enabled });
  if (projects.length === 0) return { copy, projects };
  await insertMemberships(
    tx,
    memberships.map((membership) => ({ ...membership, environment: name })),
  );
  await touchProjects(tx, projects);
  for (const { project, defaultStrategy } of memberships) {
    const place = { project, environment: name };
    record(tx, projectEnvironmentAdded(place));
    if (defaultStrategy) record(tx, defaultStrategyUpdated({ ...place, data: defaultStrategy }));
  }
  return { copy, projects };
}

export async function addEnvironment(tx: Tx, project: string, environment: string): Promise<void> {
  await getLivingProject(tx, project);
  await explained(insertMemberships(tx, [{ project, environment, defaultStrategy: null }]), {
    project_environments_pkey: () =>
      nameExists(`The project '${project}' already has the environment '${environment}'`),
    project_environments_environment_fkey: () => notFound('environment', environment),
  });
  await touchProjects(tx, [project]);
  record(tx, projectEnvironmentAdded({ project, environment }));
}

interface RemovableEnvironment {
  readonly project: string;
  readonly environment: string;
  readonly storedStrategy: DefaultStrategy | null;
}

/**
 * An environment of a project, which is closed: what its features have there goes first. From an archived one
 * too: what only such a one still has could never be deleted otherwise.
 */
export async function getRemovableEnvironment(
  tx: Tx,
  project: string,
  environment: string,
): Promise<RemovableEnvironment> {
  await getProject(tx, project, 'close');
  const removed = await findProjectEnvironment(tx.db, project, environment);
  if (!removed) throw notFound('environment', environment);
  return { project, environment, storedStrategy: removed.storedStrategy };
}

export async function removeEnvironment(
  tx: Tx,
  { project, environment, storedStrategy }: RemovableEnvironment,
): Promise<void> {
  await deleteMembership(tx, project, environment);
  await touchProjects(tx, [project]);
  const preData = storedStrategy && { defaultStrategy: storedStrategy };
  record(tx, projectEnvironmentRemoved({ project, environment, preData }));
}

export async function setDefaultStrategy(
  tx: Tx,
  place: { project: string; environment: string },
  wish: SetDefaultStrategy,
): Promise<DefaultStrategy> {
  const { defaultStickiness } = await getLivingProject(tx, place.project);
  const found = await findProjectEnvironment(tx.db, place.project, place.environment);
  if (!found) throw notFound('environment', place.environment);
  const strategy = completeDefault(wish);
  const faults = [
    ...(await segmentFaults(tx, wish.segments ?? [], place.project, '/body/segments')),
    ...expressionFaults(
      strategy.constraints,
      '/body/constraints',
      found.storedStrategy?.constraints,
    ),
    ...(await legalValueFaults(
      tx.db,
      strategy.constraints,
      '/body/constraints',
      found.storedStrategy?.constraints,
    )),
  ];
  if (faults.length > 0) throw badData(faults);
  if (!isDeepStrictEqual(strategy, found.storedStrategy)) {
    await updateDefaultStrategy(tx, place, strategy);
    await touchProjects(tx, [place.project]);
    record(tx, defaultStrategyUpdated({ ...place, data: strategy, preData: found.storedStrategy }));
  }
  return effectiveStrategy(strategy, defaultStickiness);
}
