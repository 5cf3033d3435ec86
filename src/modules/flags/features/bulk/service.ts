import type { Tx } from '../../../../platform/db/database.ts';
import { AppError, badData, noAccess, notFound } from '../../../../platform/errors.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { sees } from '../../../../platform/permission.ts';
import { lockActiveProjects, type Project } from '../../../catalogue/projects/index.ts';
import { changeTagsInBulk, tagFaults } from '../../../catalogue/tags/index.ts';
import { archiveFeatures, deleteFeaturesInBulk, reviveFeatures } from '../archive/service.ts';
import { giveFeatures, markStale } from '../change/service.ts';
import { listStates } from '../environments/queries.ts';
import { switchMany } from '../environments/switch.ts';
import { completeLockedFeatures, uncompleteLockedFeatures } from '../lifecycle/service.ts';
import { type LockedFeature, lockFeatures } from '../lock.ts';
import { moveFeatures } from '../move/service.ts';
import { findOwner } from '../owner/service.ts';
import { listOutsideChildren } from '../queries.ts';
import { refuseTooMany } from '../strategies/add/service.ts';
import { listUnapproved, type Propose, proposalsOf, proposeAll } from './approval.ts';
import type { BulkAction, BulkChange, BulkOutcome, BulkOutcomes } from './contract.ts';
import { listProjectsOf } from './queries.ts';

/** Why features stay as they are, by name. */
type Refusals = Map<string, string>;

interface Group {
  readonly project: string;
  /** Locked, in the state that the action needs, and the actor may change them. */
  readonly features: readonly LockedFeature[];
  readonly change: BulkChange;
  /** Projects that the action locked before the features. */
  readonly locked: readonly Project[];
  readonly refusals: Refusals;
}

interface Action {
  readonly on: 'active' | 'archived';
  readonly permission: string;
  /** Whether projects count their features, and so are locked before them. */
  readonly locksProjects?: true;
  /** Changes the features of one project that can be changed. Returns the names of those that did not have the state yet. */
  readonly run: (tx: Tx, group: Group) => Promise<readonly string[]>;
}

const namesOf = (features: readonly LockedFeature[]) => features.map(({ name }) => name);

/** Refuses all of them with the message of the error, which comes before anything is written. */
async function orRefuse(
  names: readonly string[],
  refusals: Refusals,
  run: () => Promise<void>,
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  try {
    await run();
    return names;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const name of names) refusals.set(name, error.message);
    return [];
  }
}

async function switchThem(
  tx: Tx,
  { project, features, change: { environment = '' }, refusals }: Group,
  enabled: boolean,
): Promise<readonly string[]> {
  const states = await listStates(tx, namesOf(features), environment);
  const present = new Set(states.map(({ featureName }) => featureName));
  for (const { name } of features) {
    if (present.has(name)) continue;
    refusals.set(name, `The project '${project}' has no environment '${environment}'`);
  }
  const changing = states.filter((state) => state.enabled !== enabled);
  const needsDefault = enabled
    ? changing.filter(({ enabledStrategies }) => enabledStrategies === 0)
    : [];
  const others = changing.filter((state) => !needsDefault.includes(state));
  const withinLimit: string[] = [];
  for (const state of needsDefault) {
    const name = state.featureName;
    const owner = { feature: { name }, environment, state };
    withinLimit.push(...(await orRefuse([name], refusals, async () => refuseTooMany(owner))));
  }
  const run = (names: readonly string[]) =>
    orRefuse(names, refusals, () => switchMany(tx, { project, environment }, names, { enabled }));
  return [
    ...(await run(others.map(({ featureName }) => featureName))),
    ...(await run(withinLimit)),
  ];
}

async function tagThem(tx: Tx, { project, features, change, refusals }: Group) {
  const { addedTags = [], removedTags = [] } = change;
  const changing = features.filter(({ tags }) => {
    const has = (tag: { type: string; value: string }) =>
      tags.some(({ type, value }) => type === tag.type && value === tag.value);
    return addedTags.some((tag) => !has(tag)) || removedTags.some(has);
  });
  const run = (names: readonly string[], refusals: Refusals) =>
    orRefuse(names, refusals, () =>
      changeTagsInBulk(tx, project, names, { addedTags, removedTags }),
    );
  const names = namesOf(changing);
  const refused: Refusals = new Map();
  const done = await run(names, refused);
  if (refused.size === 0) return done;
  // One feature would have too many tags. That is rare, so each feature is then checked alone.
  const single: string[] = [];
  for (const name of names) single.push(...(await run([name], refusals)));
  return single;
}

/** Refuses all of them if the new owner can't see their project. */
async function setOwners(tx: Tx, { project, features, change: { owner }, refusals }: Group) {
  const changing = features.filter(
    (feature) => feature.owner?.type !== owner?.type || feature.owner?.id !== owner?.id,
  );
  const found = owner ? await findOwner(tx, project, owner) : null;
  if (found && 'refusal' in found) {
    for (const { name } of changing) refusals.set(name, found.refusal);
    return [];
  }
  await giveFeatures(tx, changing, found);
  return namesOf(changing);
}

async function markAllStale(tx: Tx, { project, features }: Group, stale: boolean) {
  const names = namesOf(features.filter((feature) => feature.stale !== stale));
  await markStale(tx, project, { features: names, stale });
  return names;
}

const maxChildren = 3;

/** A feature that stays may be the child of another one in the list, which then stays, too. */
async function archiveAll(tx: Tx, { project, features, refusals }: Group) {
  let names = namesOf(features);
  while (names.length > 0) {
    const edges = grouped(await listOutsideChildren(tx.db, names), ({ parent }) => parent);
    if (edges.size === 0) break;
    for (const [parent, children] of edges) {
      const some = children.slice(0, maxChildren).map(({ child }) => `'${child}'`);
      const more = children.length - some.length;
      const listed = some.join(', ') + (more > 0 ? ` and ${more} more` : '');
      refusals.set(parent, `Other features depend on it: ${listed}`);
    }
    names = names.filter((name) => !edges.has(name));
  }
  await archiveFeatures(tx, project, names);
  return names;
}

const actions: Readonly<Record<BulkAction, Action>> = {
  enable: {
    on: 'active',
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    run: (tx, group) => switchThem(tx, group, true),
  },
  disable: {
    on: 'active',
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    run: (tx, group) => switchThem(tx, group, false),
  },
  tag: { on: 'active', permission: 'UPDATE_FEATURE', run: tagThem },
  'set-owner': { on: 'active', permission: 'UPDATE_FEATURE', run: setOwners },
  'mark-stale': {
    on: 'active',
    permission: 'UPDATE_FEATURE',
    run: (tx, group) => markAllStale(tx, group, true),
  },
  'mark-active': {
    on: 'active',
    permission: 'UPDATE_FEATURE',
    run: (tx, group) => markAllStale(tx, group, false),
  },
  complete: {
    on: 'active',
    permission: 'UPDATE_FEATURE',
    run: (tx, { features, change: { status = 'kept' } }) =>
      completeLockedFeatures(tx, features, { status }),
  },
  uncomplete: {
    on: 'active',
    permission: 'UPDATE_FEATURE',
    run: (tx, { features }) => uncompleteLockedFeatures(tx, features),
  },
  archive: { on: 'active', permission: 'DELETE_FEATURE', run: archiveAll },
  revive: {
    on: 'archived',
    permission: 'UPDATE_FEATURE',
    locksProjects: true,
    run: (tx, { project, features, refusals }) =>
      orRefuse(namesOf(features), refusals, () => reviveFeatures(tx, project, namesOf(features))),
  },
  delete: {
    on: 'archived',
    permission: 'DELETE_FEATURE',
    run: async (tx, { project, features }) => {
      await deleteFeaturesInBulk(tx, project, namesOf(features));
      return namesOf(features);
    },
  },
  move: {
    on: 'active',
    permission: 'MOVE_FEATURE_TOGGLE',
    locksProjects: true,
    run: async (tx, { features, change: { newProjectId = '' }, locked, refusals }) => {
      const target = locked.find(({ id }) => id === newProjectId) as Project;
      const { moved, reasons } = await moveFeatures(tx, features, target, locked);
      for (const [name, why] of reasons) refusals.set(name, why);
      return moved;
    },
  },
};

/** Throws what is wrong for every feature: an unknown tag type or project. */
async function checkChange(tx: Tx, change: BulkChange, locked: readonly Project[]) {
  const { action, addedTags = [], newProjectId = '' } = change;
  if (action === 'tag') {
    const faults = await tagFaults(tx.db, addedTags, '/body/addedTags');
    if (faults.length > 0) throw badData(faults);
  }
  if (action === 'move') {
    const isKnown = sees(tx.actor, newProjectId) && locked.some(({ id }) => id === newProjectId);
    if (!isKnown) throw notFound('project', newProjectId);
  }
}

/** Why the state of a feature doesn't permit the action; undefined if it does. */
function wrongState(
  { name, archivedAt, project }: LockedFeature,
  { action }: BulkChange,
  locked: readonly Project[],
): string | undefined {
  const { on, locksProjects } = actions[action];
  if (locksProjects && !locked.some(({ id }) => id === project)) {
    return `The project '${project}' is archived`;
  }
  if (on === 'active' && archivedAt) return `'${name}' is archived`;
  return on === 'archived' && !archivedAt ? `'${name}' is not archived` : undefined;
}

/** Why the actor may not change a feature; undefined if they may. */
function refusalOf(
  tx: Tx,
  { project }: LockedFeature,
  { action, environment, newProjectId = '' }: BulkChange,
): string | undefined {
  const { permission, on } = actions[action];
  const where = on === 'active' && action.endsWith('able') ? environment : undefined;
  if (!tx.actor.may(permission, project, where)) return noAccess(permission, where).message;
  if (action === 'move' && !tx.actor.may(permission, newProjectId)) {
    return `${noAccess(permission).message} in the project '${newProjectId}'`;
  }
  return undefined;
}

/**
 * Changes each feature that can be changed, and returns the reason for every other one. With `propose`, changes that
 * need approval are proposed, for which no permission is needed.
 */
export async function changeFeaturesInBulk(
  tx: Tx,
  change: BulkChange,
  propose?: Propose,
): Promise<BulkOutcomes> {
  const names = [...new Set(change.features)];
  const { run, locksProjects } = actions[change.action];
  // Projects are locked before features. A feature that moves in between is refused.
  const ids = locksProjects ? await listProjectsOf(tx.db, names) : [];
  const wanted = change.newProjectId === undefined ? ids : [...ids, change.newProjectId];
  const locked = locksProjects ? await lockActiveProjects(tx, wanted) : [];
  await checkChange(tx, change, locked);
  const purpose = change.action === 'delete' ? 'delete' : 'change';
  const found = (await lockFeatures(tx, names, purpose)).filter((feature) =>
    sees(tx.actor, feature.project),
  );
  const refusals: Refusals = new Map();
  const refuse = (why: (feature: LockedFeature) => string | undefined) => {
    for (const feature of found) {
      const reason = refusals.has(feature.name) ? undefined : why(feature);
      if (reason !== undefined) refusals.set(feature.name, reason);
    }
  };
  const isLeft = ({ name }: LockedFeature) => !refusals.has(name);
  refuse((feature) => wrongState(feature, change, locked));
  const proposable = propose
    ? await listUnapproved(tx, found.filter(isLeft), change, { proposes: true })
    : [];
  const awaiting = new Set(proposable.map(({ feature }) => feature.name));
  refuse((feature) => (awaiting.has(feature.name) ? undefined : refusalOf(tx, feature, change)));
  const changed = new Set<string>();
  const allowed = found.filter((feature) => isLeft(feature) && !awaiting.has(feature.name));
  const unapproved = propose ? [] : await listUnapproved(tx, allowed, change, { proposes: false });
  for (const { feature, why } of unapproved) refusals.set(feature.name, why);
  const tried = allowed.filter(isLeft);
  for (const [project, features] of grouped(tried, (feature) => feature.project)) {
    const group = { project, features, change, locked, refusals };
    for (const name of await run(tx, group)) changed.add(name);
  }
  const proposed = propose && (await proposeAll(tx, proposable, change, propose));
  for (const [name, why] of proposed?.refusals ?? []) refusals.set(name, why);
  const projects = new Map(found.map(({ name, project }) => [name, project]));
  const features = names.map((name): BulkOutcome => {
    const project = projects.get(name);
    if (project === undefined) {
      return { name, outcome: 'refused', why: `Feature '${name}' not found` };
    }
    const why = refusals.get(name);
    if (why !== undefined) return { name, project, outcome: 'refused', why };
    if (awaiting.has(name)) return { name, project, outcome: 'proposed' };
    return { name, project, outcome: changed.has(name) ? 'changed' : 'unchanged' };
  });
  return {
    features,
    ...(unapproved.length > 0 && { proposals: proposalsOf(unapproved, change) }),
    ...(proposed && proposed.drafts.length > 0 && { changeRequests: proposed.drafts }),
  };
}
