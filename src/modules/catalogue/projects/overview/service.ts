import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { defineLookup, type LookUp } from '../../../../platform/hooks.ts';
import { listProjectEnvironments } from '../environments/queries.ts';
import { withDefaultStrategy } from '../environments/read.ts';
import type { Viewer } from '../viewer.ts';
import type { OnboardingStatus, Stats } from './contract.ts';
import { findProjectOf } from './queries.ts';

export const projectStats = defineLookup<{ readonly project: string; readonly now: Date }, Stats>(
  'statistics of a project for the last 60 days',
);

export const onboardingStatus = defineLookup<{ readonly project: string }, OnboardingStatus>(
  'onboarding progress of a project',
);

export const featureTypeCounts = defineLookup<
  { readonly project: string },
  { type: string; count: number }[]
>('number of features of a project by type');

/** The active features of a project by name, each as JSON. They are read as they are taken. */
export const featureSummaries = defineLookup<
  { readonly project: string; readonly viewer: Viewer },
  AsyncIterable<string>
>('features of a project for lists');

const noNaming = { pattern: null, example: null, description: null };

/** A project, archived or not, with what its environments give to new features. */
export async function getProjectOverviewFor(db: Db, { actor, baseUrl, now }: Viewer, id: string) {
  const project = await findProjectOf(db, { id, userId: actor.id, baseUrl, now });
  if (!project) throw notFound('project', id);
  const environments = await listProjectEnvironments(db, id);
  return {
    ...project,
    environments: environments
      .map(withDefaultStrategy)
      .map(({ name, changeRequestsEnabled, defaultStrategy }) => ({
        environment: name,
        changeRequestsEnabled,
        defaultStrategy,
      })),
  };
}

/** A project, also an archived one, with the figures of the last two months. */
export async function getOverview(db: Db, lookUp: LookUp, viewer: Viewer, project: string) {
  const overview = await getProjectOverviewFor(db, viewer, project);
  return {
    version: 1,
    ...overview,
    featureNaming: { ...noNaming, ...overview.featureNaming },
    featureTypeCounts: await lookUp(featureTypeCounts, db, { project }),
    stats: await lookUp(projectStats, db, { project, now: viewer.now }),
    onboardingStatus: await lookUp(onboardingStatus, db, { project }),
  };
}
