import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { ListedProject } from './contract.ts';
import { effectiveStrategy } from './environments/default-strategy.ts';
import type { DefaultStrategy } from './environments/default-strategy-schema.ts';
import {
  findProjectEnvironment,
  listCountedEnvironments,
  listProjectEnvironments,
  type ProjectEnvironment,
} from './environments/queries.ts';
import { countFeaturesByType } from './feature-counts.ts';
import { findProjectOf, listCountedProjects } from './queries.ts';

/** The reader of a response: favourites are those of the actor, and URLs begin with `baseUrl`. */
interface Viewer {
  readonly actor: Actor;
  readonly baseUrl: string;
  readonly now: Date;
}

export const listProjectsFor = (
  db: Db,
  { actor: { id: userId, sees }, baseUrl, now }: Viewer,
  { archived }: { archived: boolean },
): Promise<ListedProject[]> => listCountedProjects(db, { archived, now, sees, userId, baseUrl });

const withStrategy = <E extends ProjectEnvironment>({
  storedStrategy,
  defaultStickiness,
  ...environment
}: E) => ({
  ...environment,
  defaultStrategy: effectiveStrategy(storedStrategy, defaultStickiness),
});

/** A project, archived or not, with what its environments give to new features. */
export async function getProjectOverviewFor(db: Db, { actor, baseUrl, now }: Viewer, id: string) {
  const project = await findProjectOf(db, { id, userId: actor.id, baseUrl, now });
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

export async function listEnvironmentsOf(db: Db, project: string, now: Date) {
  const environments = await listCountedEnvironments(db, project, now);
  return environments.map((each) => ({ ...withStrategy(each), visible: true }));
}

export async function getDefaultStrategy(
  db: Db,
  { project, environment }: { project: string; environment: string },
): Promise<DefaultStrategy> {
  const found = await findProjectEnvironment(db, project, environment);
  if (!found) throw notFound('environment', environment);
  return withStrategy(found).defaultStrategy;
}
