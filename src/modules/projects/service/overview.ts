import type { Actor, Db } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { ListedProject } from '../contract/project.ts';
import type { DefaultStrategy } from '../contract/strategy.ts';
import { effectiveStrategy } from '../default-strategy.ts';
import {
  findProjectEnvironment,
  listCountedEnvironments,
  listProjectEnvironments,
  type ProjectEnvironment,
} from '../queries/environments.ts';
import { isFavorite } from '../queries/favorites.ts';
import { countFeaturesByType } from '../queries/features.ts';
import { findProject, listCountedProjects } from '../queries/project.ts';

export const listProjectsFor = (
  db: Db,
  { id: userId, sees }: Actor,
  listing: { archived: boolean; now: Date },
): Promise<ListedProject[]> => listCountedProjects(db, { ...listing, sees, userId });

const withStrategy = <E extends ProjectEnvironment>({
  storedStrategy,
  defaultStickiness,
  ...environment
}: E) => ({
  ...environment,
  defaultStrategy: effectiveStrategy(storedStrategy, defaultStickiness),
});

/** A project, archived or not, with what its environments give to new features. */
async function getProjectOverview(db: Db, id: string) {
  const project = await findProject(db, id);
  if (!project) throw notFound('project', id);
  const environments = await listProjectEnvironments(db, id);
  return {
    ...project,
    environments: environments.map(withStrategy).map(({ name, defaultStrategy }) => ({
      environment: name,
      changeRequestsEnabled: false,
      defaultStrategy,
    })),
    featureTypeCounts: await countFeaturesByType(db, id),
  };
}

/** The overview as somebody sees it who has favourites. */
export async function getProjectOverviewFor(db: Db, { id: userId }: Actor, id: string) {
  return { ...(await getProjectOverview(db, id)), favorite: await isFavorite(db, userId, id) };
}

export async function listEnvironmentsOf(db: Db, project: string) {
  const environments = await listCountedEnvironments(db, project);
  return environments.map(withStrategy);
}

export async function getDefaultStrategy(
  db: Db,
  { project, environment }: { project: string; environment: string },
): Promise<DefaultStrategy> {
  const found = await findProjectEnvironment(db, project, environment);
  if (!found) throw notFound('environment', environment);
  return withStrategy(found).defaultStrategy;
}
