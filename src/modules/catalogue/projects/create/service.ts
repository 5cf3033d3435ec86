import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, nameExists } from '../../../../platform/errors.ts';
import { makeOwner } from '../../../access/project-access/index.ts';
import { record, reserveFirstEventId } from '../../../events/index.ts';
import { lockEnabledEnvironments, lockEnvironments } from '../../environments/index.ts';
import { applyChange } from '../change/apply.ts';
import { inheritedSettings, limitedApprovals } from '../change-requests/settings.ts';
import { insertMemberships } from '../environments/queries.ts';
import { factsOf, projectCreated } from '../events.ts';
import { defaultProject, refuseBeyondLimit } from '../limits.ts';
import type { Project } from '../project-schema.ts';
import { findProject, type ProjectDraft, withGivenDescription } from '../queries.ts';
import { type CreatedProject, type CreateProject, reservedIds } from './contract.ts';
import { insertProject, listProjectIds, updateFirstEvent } from './queries.ts';
import { freeSlug, slugOf } from './slug.ts';

const taken = (id: string) => nameExists(`A project with the ID '${id}' already exists`);

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
  const chosen = await chosenEnvironments(tx, input);
  const environments = chosen.map(({ name }) => name);
  const project = await insertUnderId(tx, applyChange({ ...unset, id: input.id }, input));
  if (environments.length > 0) {
    await insertMemberships(
      tx,
      chosen.map(({ name: environment, settings }) => ({
        project: project.id,
        environment,
        defaultStrategy: null,
        ...settings,
      })),
    );
  }
  const changeRequestEnvironments = chosen
    .filter(({ settings }) => settings.changeRequestsEnabled)
    .map(({ name, settings: { requiredApprovals } }) => ({ name, requiredApprovals }));
  const data = {
    ...factsOf(project),
    environments,
    ...(changeRequestEnvironments.length > 0 && { changeRequestEnvironments }),
  };
  record(tx, projectCreated({ project: project.id, data }));
  // A token or the system cannot own a project.
  if (tx.actor.id > 0) await makeOwner(tx, project.id, tx.actor.id);
  // Last, because it locks the event log until the commit if the id was used before.
  const firstEvent = keepsHistory ? 0 : await reserveFirstEventId(tx, project.id);
  if (firstEvent > 0) await updateFirstEvent(tx, project.id, firstEvent);
  return { ...withGivenDescription(project), environments };
}

/** The environments of a new project, with their change request settings. */
async function chosenEnvironments(
  tx: Tx,
  { environments: named, changeRequestEnvironments }: CreateProject,
) {
  const requested = changeRequestEnvironments ?? [];
  const found = named
    ? await lockEnvironments(tx, named, 'use')
    : await lockEnabledEnvironments(tx);
  const names = new Set(found.map(({ name }) => name));
  const faults = (named ?? []).flatMap((name, index) =>
    names.has(name)
      ? []
      : [{ path: `/body/environments/${index}`, message: `Environment '${name}' not found` }],
  );
  const withRequests = new Map(
    requested.map(({ name, requiredApprovals }) => [
      name,
      {
        changeRequestsEnabled: true,
        requiredApprovals: limitedApprovals(requiredApprovals) ?? 1,
        rules: null,
      },
    ]),
  );
  faults.push(
    ...requested.flatMap(({ name }, index) =>
      names.has(name)
        ? []
        : [
            {
              path: `/body/changeRequestEnvironments/${index}/name`,
              message: `The project doesn't get the environment '${name}'`,
            },
          ],
    ),
  );
  if (faults.length > 0) throw badData(faults);
  return found.map((environment) => ({
    name: environment.name,
    settings: withRequests.get(environment.name) ?? inheritedSettings(environment),
  }));
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

/** The project of a new installation. */
export async function createFirstProject(tx: Tx): Promise<void> {
  await createProject(tx, { id: defaultProject, name: 'Default' });
}
