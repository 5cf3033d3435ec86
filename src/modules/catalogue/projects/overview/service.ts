import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { defineLookup, type LookUp } from '../../../../platform/hooks.ts';
import { getProjectOverviewFor } from '../read.ts';
import type { OnboardingStatus, Stats } from './contract.ts';

interface Viewer {
  readonly actor: Actor;
  readonly baseUrl: string;
  readonly now: Date;
}

export const projectStats = defineLookup<{ readonly project: string; readonly now: Date }, Stats>(
  'the figures of a project in the last two months',
);

export const onboardingStatus = defineLookup<{ readonly project: string }, OnboardingStatus>(
  'how far a project has come on the way to the first decision of an SDK',
);

/** The living features of a project by name, each as JSON. They are read as they are taken. */
export const featureSummaries = defineLookup<
  { readonly project: string; readonly viewer: Viewer },
  AsyncIterable<string>
>('the features of a project as lists show them');

const noNaming = { pattern: null, example: null, description: null };

/** A project, also an archived one, with the figures of the last two months. */
export async function getOverview(db: Db, lookUp: LookUp, viewer: Viewer, project: string) {
  const overview = await getProjectOverviewFor(db, viewer, project);
  return {
    version: 1,
    ...overview,
    featureNaming: { ...noNaming, ...overview.featureNaming },
    stats: await lookUp(projectStats, db, { project, now: viewer.now }),
    onboardingStatus: await lookUp(onboardingStatus, db, { project }),
  };
}
