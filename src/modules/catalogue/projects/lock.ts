import type { Tx } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Project } from './project-schema.ts';
import { lockProject } from './queries.ts';

/** Gets and locks a project, archived or not. */
export async function lockExistingProject(
  tx: Tx,
  id: string,
  purpose: 'hold' | 'change' | 'close',
): Promise<Project> {
  const project = await lockProject(tx, id, purpose);
  if (!project) throw notFound('project', id);
  return project;
}

/** Refuses archived projects, also if they were archived while this waited for the lock. */
export async function lockActiveProject(
  tx: Tx,
  id: string,
  purpose: 'hold' | 'change' = 'change',
): Promise<Project> {
  const project = await lockExistingProject(tx, id, purpose);
  if (project.archivedAt) throw notFound('project', id);
  return project;
}

/**
 * Locks an active project for adding a feature: it cannot be closed until the transaction ends. Other features can be
 * added at the same time, unless the project has a feature limit.
 */
export async function lockForNewFeature(tx: Tx, id: string): Promise<Project> {
  const project = await lockActiveProject(tx, id, 'hold');
  return project.featureLimit === null ? project : lockActiveProject(tx, id);
}
