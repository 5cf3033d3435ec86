import { isDeepStrictEqual } from 'node:util';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { badData, invalidOperation, nameExists, notFound } from '../../../platform/errors.ts';
import { defineHook, type RunHook } from '../../../platform/hooks.ts';
import { revokeTokensOf } from '../../access/api-tokens/index.ts';
import { makeOwner } from '../../access/project-access/index.ts';
import { record, reserveFirstEventId } from '../../events/index.ts';
import { lockEnabledEnvironments, lockEnvironments } from '../environments/index.ts';
import { removeSegmentsOf } from '../segments/index.ts';
import { releaseTagsOf } from '../tags/index.ts';
import {
  type Budget,
  type CreatedProject,
  type CreateProject,
  type LinkTemplate,
  type Project,
  type ProjectChange,
  reservedIds,
  type SetLinkTemplate,
} from './contract.ts';
import { insertMemberships, listProjectEnvironments } from './environments/queries.ts';
import {
  type ProjectEventData,
  projectArchived,
  projectCreated,
  projectDeleted,
  projectRevived,
  projectUpdated,
} from './events.ts';
import { summariseFeatures } from './feature-counts.ts';
import { namingOf } from './feature-naming/naming.ts';
import {
  countProjects,
  deleteProject,
  findProject,
  insertProject,
  listProjectIds,
  lockProject,
  type ProjectDraft,
  updateFirstEvent,
  updateProject,
  updateProjectArchived,
  withGivenDescription,
} from './queries.ts';
import { freeSlug, slugOf } from './slug.ts';

/** Lists return all of them without pages. Concurrent creations may exceed it by a few. */
export const maxProjects = 5000;

/** Every installation has this project, and clients rely on its name. */
const defaultProject = 'default';

const taken = (id: string) => nameExists(`A project with the id '${id}' already exists`);

const unset: Omit<ProjectDraft, 'id'> = {
  name: '',
  description: null,
  mode: 'open',
  defaultStickiness: 'default',
  featureLimit: null,
  linkTemplates: [],
  autoStale: false,
  asksBeforeProduction: true,
  budget: { maxStale: null, minHealth: null },
};

const factsOf = ({ updatedAt, archivedAt, ...facts }: Project): ProjectEventData => facts;

async function refuseBeyondLimit(tx: Tx): Promise<void> {
  if ((await countProjects(tx.db)) < maxProjects) return;
  throw invalidOperation(
    `The limit of ${maxProjects} projects is reached. Archive or delete some projects first`,
  );
}

/**
 * `keepsHistory`: events of this id that are in the log already belong to this project, not to a deleted one. Only an
 * import says so, which has brought these events from the installation that the project comes from.
 */
export async function createProject(
  tx: Tx,
  input: CreateProject,
  { keepsHistory = false }: { readonly keepsHistory?: boolean } = {},
): Promise<CreatedProject> {
  await refuseBeyondLimit(tx);
  const environments = await chosenEnvironments(tx, input.environments);
  const project = await insertUnderId(tx, applyChange({ ...unset, id: input.id }, input));
  if (environments.length > 0) {
    await insertMemberships(
      tx,
      environments.map((environment) => ({
        project: project.id,
        environment,
        defaultStrategy: null,
      })),
    );
  }
  const data = { ...factsOf(project), environments };
  record(tx, projectCreated({ project: project.id, data }));
  // A token or the system cannot own a project.
  if (tx.actor.id > 0) await makeOwner(tx, project.id, tx.actor.id);
  // Last, because it locks the event log until the commit if the id was used before.
  const firstEvent = keepsHistory ? 0 : await reserveFirstEventId(tx, project.id);
  if (firstEvent > 0) await updateFirstEvent(tx, project.id, firstEvent);
  return { ...withGivenDescription(project), environments };
}

async function chosenEnvironments(tx: Tx, named: readonly string[] | undefined) {
  const found = named
    ? await lockEnvironments(tx, named, 'use')
    : await lockEnabledEnvironments(tx);
  const names = new Set(found.map(({ name }) => name));
  const faults = (named ?? []).flatMap((name, index) =>
    names.has(name)
      ? []
      : [{ path: `/body/environments/${index}`, message: `There is no environment '${name}'` }],
  );
  if (faults.length > 0) throw badData(faults);
  return [...names];
}

/** Inserts under the given id, or under a free one made of the name. Concurrent creations get different ones. */
async function insertUnderId(tx: Tx, project: ProjectDraft): Promise<Project> {
  if (project.id !== '') {
    const inserted = await insertProject(tx, project);
    if (!inserted) throw taken(project.id);
    return inserted;
  }
  const slug = slugOf(project.name);
  const ids = await listProjectIds(tx.db, slug);
  const free = freeSlug(slug, new Set([...ids, ...reservedIds]));
  const inserted = await insertProject(tx, { ...project, id: free });
  return inserted ?? insertUnderId(tx, project);
}

/** Throws what creating a project with this id would throw. */
export async function validateId(db: Db, id: string): Promise<void> {
  if (await findProject(db, id)) throw taken(id);
}

const changedBudget = (budget: Budget, { maxStale, minHealth }: Partial<Budget> = {}): Budget => ({
  maxStale: maxStale === undefined ? budget.maxStale : maxStale,
  minHealth: minHealth === undefined ? budget.minHealth : minHealth,
});

const linkTemplateOf = ({ title, urlTemplate }: SetLinkTemplate): LinkTemplate => ({
  title: title || null,
  urlTemplate,
});

/** Applies a change to a project. Omitted properties stay. */
function applyChange<P extends ProjectDraft>(project: P, change: ProjectChange): P {
  const { featureNaming, ...rest } = project;
  const naming = change.featureNaming ? namingOf(change.featureNaming) : featureNaming;
  const { description, featureLimit } = change;
  return {
    ...(rest as P),
    name: change.name ?? project.name,
    description: description === undefined ? project.description : description,
    mode: change.mode ?? project.mode,
    defaultStickiness: change.defaultStickiness ?? project.defaultStickiness,
    featureLimit: featureLimit === undefined ? project.featureLimit : featureLimit,
    ...(naming && { featureNaming: naming }),
    linkTemplates: change.linkTemplates?.map(linkTemplateOf) ?? project.linkTemplates,
    autoStale: change.autoStale ?? project.autoStale,
    asksBeforeProduction: change.asksBeforeProduction ?? project.asksBeforeProduction,
    budget: changedBudget(project.budget, change.budget),
  };
}

/** Gets and locks a project, archived or not. */
export async function getProject(
  tx: Tx,
  id: string,
  purpose: 'hold' | 'change' | 'close',
): Promise<Project> {
  const project = await lockProject(tx, id, purpose);
  if (!project) throw notFound('project', id);
  return project;
}

/** Refuses archived projects, also if they were archived while this waited for the lock. */
export async function getLivingProject(
  tx: Tx,
  id: string,
  purpose: 'hold' | 'change' = 'change',
): Promise<Project> {
  const project = await getProject(tx, id, purpose);
  if (project.archivedAt) throw notFound('project', id);
  return project;
}

/**
 * Locks a living project for adding a feature: it cannot be closed until the transaction ends. Other features can be
 * added at the same time, unless the project has a feature limit.
 */
export async function lockForNewFeature(tx: Tx, id: string): Promise<Project> {
  const project = await getLivingProject(tx, id, 'hold');
  return project.featureLimit === null ? project : getLivingProject(tx, id);
}

export async function changeProject(tx: Tx, id: string, change: ProjectChange): Promise<void> {
  const before = await getLivingProject(tx, id);
  const after = applyChange(before, change);
  if (isDeepStrictEqual(before, after)) return;
  await updateProject(tx, after);
  record(tx, projectUpdated({ project: id, data: factsOf(after), preData: factsOf(before) }));
}

/**
 * A project is about to be deleted. Modules delete their data of it first. It has no living features and is closed.
 */
export const deletingProject = defineHook<Project>('deletingProject', 'highest first');

/**
 * Deletes a project without living features, and everything left in it. Another project may get its id later, so
 * everything that refers to the id is removed here.
 */
export async function removeProject(tx: Tx, id: string, runHook: RunHook): Promise<void> {
  if (id === defaultProject) throw invalidOperation('The default project cannot be deleted');
  const project = await getProject(tx, id, 'close');
  await refuseLivingFeatures(tx, id, 'deleted');
  await runHook(deletingProject, tx, project);
  await removeSegmentsOf(tx, id);
  await revokeTokensOf(tx, { project: id });
  await releaseTagsOf(tx, project);
  const environments = await listProjectEnvironments(tx.db, id);
  await deleteProject(tx, id);
  const preData = {
    ...factsOf(project),
    environments: environments.map(({ name }) => name),
    defaultStrategies: Object.fromEntries(
      environments.flatMap(({ name, storedStrategy }) =>
        storedStrategy ? [[name, storedStrategy]] : [],
      ),
    ),
  };
  record(tx, projectDeleted({ project: id, preData }));
}

export async function archiveProject(tx: Tx, id: string): Promise<void> {
  if (id === defaultProject) throw invalidOperation('The default project cannot be archived');
  const project = await getProject(tx, id, 'close');
  if (project.archivedAt) throw notFound('project', id);
  await refuseLivingFeatures(tx, id, 'archived');
  await updateProjectArchived(tx, id, true);
  record(tx, projectArchived({ project: id }));
}

/** Reads after the lock, so that it sees features that were being added to the project. */
async function refuseLivingFeatures(tx: Tx, id: string, fate: string): Promise<void> {
  const { count, first } = await summariseFeatures(tx.db, id);
  if (count === 0) return;
  const names = first.map((name) => `'${name}'`).join(', ');
  const others = count > first.length ? ` and ${count - first.length} more` : '';
  const features = count === 1 ? 'an active feature' : `${count} active features`;
  throw invalidOperation(
    `The project '${id}' cannot be ${fate} while it has ${features}: ${names}${others}`,
  );
}

export async function reviveProject(tx: Tx, id: string): Promise<void> {
  await refuseBeyondLimit(tx);
  if (!(await updateProjectArchived(tx, id, false))) throw notFound('archived project', id);
  record(tx, projectRevived({ project: id }));
}

/** The project of a new installation. */
export async function createFirstProject(tx: Tx): Promise<void> {
  await createProject(tx, { id: defaultProject, name: 'Default' });
}
