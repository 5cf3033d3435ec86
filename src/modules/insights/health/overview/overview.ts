import type { Actor, Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { getProjectOverviewFor } from '../../../catalogue/projects/index.ts';
import { listFeatures } from '../../../flags/features/index.ts';
import { agingOf, findAgingRows } from '../rating/queries.ts';
import { rate } from '../rating/rating.ts';
import type { OnboardingStatus } from './contract.ts';
import { findBeginning } from './queries.ts';

/** How far a project has come on the way to the first decision of an SDK. */
export async function getOnboardingStatus(db: Db, project: string): Promise<OnboardingStatus> {
  const { firstFeature, isSeen } = await findBeginning(db, project);
  if (isSeen) return { status: 'onboarded' };
  return firstFeature === null
    ? { status: 'onboarding-started' }
    : { status: 'first-flag-created', feature: firstFeature };
}

const unnamed = { pattern: null, example: null, description: null };

interface Viewer {
  readonly actor: Actor;
  readonly baseUrl: string;
  readonly now: Date;
}

/** A project as it is seen by somebody, with the figures of the last two months. */
export async function getOverview(db: Db, viewer: Viewer, project: string) {
  const overview = await getProjectOverviewFor(db, viewer, project);
  const rows = await findAgingRows(db, project, viewer.now);
  if (!rows) throw notFound('project', project);
  return {
    version: 1,
    ...overview,
    featureNaming: { ...unnamed, ...overview.featureNaming },
    stats: rate(agingOf(rows), viewer.now.getTime()).rating.stats,
    onboardingStatus: await getOnboardingStatus(db, project),
  };
}

/** The same with the living features of the project, as JSON: that is how features come. */
export async function getOverviewWithFeatures(
  db: Db,
  viewer: Viewer,
  project: string,
): Promise<string> {
  const overview = await getOverview(db, viewer, project);
  const features = await listFeatures(db, viewer, project);
  return `${JSON.stringify(overview).slice(0, -1)},"features":[${features}]}`;
}
