import { isDeepStrictEqual } from 'node:util';
import { explained } from '../../../platform/db/constraint.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { badData, invalidOperation, nameExists, notFound } from '../../../platform/errors.ts';
import { createEnvironment, type Environment, getEnvironment } from '../../environments/index.ts';
import { record } from '../../events/index.ts';
import type { CloneEnvironment } from '../contract/environments.ts';
import type { DefaultStrategy, SetDefaultStrategy } from '../contract/strategy.ts';
import { completeStrategy, effectiveStrategy } from '../default-strategy.ts';
import {
  defaultStrategyUpdated,
  projectEnvironmentAdded,
  projectEnvironmentRemoved,
} from '../events.ts';
import {
  deleteMembership,
  findProjectEnvironment,
  insertMemberships,
  listProjectEnvironments,
  lockProjectsWith,
  updateDefaultStrategy,
} from '../queries/environments.ts';
import { touchProjects } from '../queries/project.ts';
import { getLivingProject, getProject } from './project.ts';

/** Copies an environment, with its place and default strategy in each project that has it. */
export async function cloneEnvironment(
  tx: Tx,
  source: string,
  { name, type, projects: named = [] }: CloneEnvironment,
): Promise<Environment> {
  const original = await getEnvironment(tx, source, 'use');
  const projects = await lockProjectsWith(tx, source, named);
  const having = new Set(projects.map(({ id }) => id));
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
  if (projects.length === 0) return copy;
  await insertMemberships(
    tx,
    projects.map(({ id, defaultStrategy }) => ({
      project: id,
      environment: name,
      defaultStrategy,
    })),
  );
  await touchProjects(tx, [...having]);
  for (const { id, defaultStrategy } of projects) {
    const place = { project: id, environment: name };
    record(tx, projectEnvironmentAdded(place));
    if (defaultStrategy) record(tx, defaultStrategyUpdated({ ...place, data: defaultStrategy }));
  }
  return copy;
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

/** From an archived project too: what only such a one still has could never be deleted otherwise. */
export async function removeEnvironment(
  tx: Tx,
  project: string,
  environment: string,
): Promise<void> {
  await getProject(tx, project, 'change');
  const environments = await listProjectEnvironments(tx.db, project);
  const removed = environments.find(({ name }) => name === environment);
  if (!removed) throw notFound('environment', environment);
  if (environments.length === 1) {
    throw invalidOperation(
      `'${environment}' is the only environment of the project '${project}', which needs one`,
    );
  }
  await deleteMembership(tx, project, environment);
  await touchProjects(tx, [project]);
  const preData = removed.storedStrategy && { defaultStrategy: removed.storedStrategy };
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
  const strategy = completeStrategy(wish);
  refuseSegments(strategy.segments);
  if (!isDeepStrictEqual(strategy, found.storedStrategy)) {
    await updateDefaultStrategy(tx, place, strategy);
    await touchProjects(tx, [place.project]);
    record(tx, defaultStrategyUpdated({ ...place, data: strategy, preData: found.storedStrategy }));
  }
  return effectiveStrategy(strategy, defaultStickiness);
}

/** There are no segments yet, so every id is one of nothing. */
function refuseSegments(segments: readonly number[]): void {
  const faults = segments.map((id, index) => ({
    path: `/body/segments/${index}`,
    message: `There is no segment ${id}`,
  }));
  if (faults.length > 0) throw badData(faults);
}
