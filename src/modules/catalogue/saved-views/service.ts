import type { Actor } from '../../../platform/actor.ts';
import { maxInteger } from '../../../platform/contract/schema.ts';
import { explained } from '../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import {
  badData,
  invalidOperation,
  nameExists,
  noAccess,
  notFound,
} from '../../../platform/errors.ts';
import { requireAccount } from '../../access/users/index.ts';
import { record } from '../../events/index.ts';
import {
  type CreateSavedView,
  maxSharedViews,
  maxViews,
  type SavedView,
  type SavedViewChange,
} from './contract.ts';
import { type SavedViewData, viewDeleted, viewSaved, viewUpdated } from './events.ts';
import {
  countShared,
  countViews,
  deleteView,
  insertView,
  listViews,
  lockAuthor,
  lockView,
  updateView,
} from './queries.ts';
import { areKnown, projectsIn, queryFaults } from './query.ts';

const factsOf = ({ id, page, project, name, query, shared, userId }: SavedView): SavedViewData => ({
  id,
  page,
  viewProject: project,
  name,
  query,
  shared,
  userId,
});

const seesProject = ({ sees }: Actor, project: string) => sees === 'all' || sees.has(project);

/** A view of others is hidden if it names a project that the actor may not know of. */
function isVisible(actor: Actor, { userId, shared, project, page, query }: SavedView): boolean {
  if (project !== null && !seesProject(actor, project)) return false;
  if (userId === actor.id) return true;
  return shared && (actor.sees === 'all' || areKnown(projectsIn(page, query), actor.sees));
}

export async function listSavedViews(
  db: Db,
  actor: Actor,
  { page, project }: { readonly page: SavedView['page']; readonly project?: string },
): Promise<SavedView[]> {
  const projects = project === undefined ? [] : [project];
  const views = await listViews(db, actor.id, { page, projects });
  return views.filter((view) => isVisible(actor, view));
}

/** Concurrent requests of several accounts may exceed it by a few. */
async function refuseTooManyShared(tx: Tx, list: Pick<SavedView, 'page' | 'project'>) {
  if ((await countShared(tx.db, list)) < maxSharedViews) return;
  throw invalidOperation(`A list can have up to ${maxSharedViews} shared views`);
}

const taken = (name: string) => ({
  saved_views_name_key: () => nameExists(`A view named '${name}' already exists`),
});

export async function createSavedView(tx: Tx, wanted: CreateSavedView): Promise<SavedView> {
  const userId = requireAccount(tx.actor);
  const { page, name, query, shared, project = null } = wanted;
  if (project !== null && !seesProject(tx.actor, project)) throw notFound('project', project);
  await lockAuthor(tx);
  if ((await countViews(tx.db, tx.actor)) >= maxViews) {
    throw invalidOperation(`You can save up to ${maxViews} views`);
  }
  if (shared) await refuseTooManyShared(tx, { page, project });
  const view = await explained(insertView(tx, { page, project, name, query, shared, userId }), {
    ...taken(name),
    saved_views_project_fkey: () => notFound('project', project ?? ''),
  });
  record(tx, viewSaved({ data: factsOf(view) }));
  return view;
}

/** A view that the actor may delete. To change it, its author has to see its list, too. */
async function lockOwnView(tx: Tx, text: string): Promise<SavedView> {
  requireAccount(tx.actor);
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  const view = id <= maxInteger ? await lockView(tx, id) : undefined;
  if (view?.userId === tx.actor.id) return view;
  if (!view || !isVisible(tx.actor, view)) throw notFound('view', text);
  if (!tx.actor.may('ADMIN')) throw noAccess('ADMIN');
  return view;
}

export async function changeSavedView(
  tx: Tx,
  id: string,
  change: SavedViewChange,
): Promise<SavedView> {
  const before = await lockOwnView(tx, id);
  if (!isVisible(tx.actor, before)) throw notFound('view', id);
  const { name = before.name, query = before.query, shared = before.shared } = change;
  const faults = queryFaults(before.page, query);
  if (faults.length > 0) throw badData(faults);
  if (name === before.name && query === before.query && shared === before.shared) return before;
  if (shared && !before.shared) await refuseTooManyShared(tx, before);
  const after = await explained(
    updateView(tx, { id: before.id, name, query, shared }),
    taken(name),
  );
  record(tx, viewUpdated({ data: factsOf(after), preData: factsOf(before) }));
  return after;
}

export async function removeSavedView(tx: Tx, id: string): Promise<void> {
  const view = await lockOwnView(tx, id);
  await deleteView(tx, view.id);
  record(tx, viewDeleted({ preData: factsOf(view) }));
}
