import type { Actor, Db } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Environment } from '../../environments/index.ts';
import type { Project } from '../contract/project.ts';
import type { DefaultStrategy } from '../contract/strategy.ts';
import { effectiveStrategy } from '../default-strategy.ts';
import {
  findProjectEnvironment,
  listProjectEnvironments,
  type ProjectEnvironment,
} from '../queries/environments.ts';
import { findProject, listProjects } from '../queries/project.ts';

export const listProjectsFor = (
  db: Db,
  { sees }: Actor,
  { archived }: { archived: boolean },
): Promise<Project[]> => listProjects(db, { sees, archived });

const withStrategy = ({
  storedStrategy,
  defaultStickiness,
  ...environment
}: ProjectEnvironment) => ({
  ...environment,
  defaultStrategy: effectiveStrategy(storedStrategy, defaultStickiness),
});

/** A project, archived or not, with what its environments give to new features. */
export async function getProjectOverview(db: Db, id: string) {
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
  };
}

export async function listEnvironmentsOf(
  db: Db,
  project: string,
): Promise<(Environment & { defaultStrategy: DefaultStrategy })[]> {
  const environments = await listProjectEnvironments(db, project);
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
