import type { Db } from '../../../../platform/db/database.ts';
import type { OnboardingStatus } from '../../../catalogue/projects/index.ts';
import { findOnboarding } from './queries.ts';

/** How far a project has come on the way to the first decision of an SDK. */
export async function getOnboardingStatus(db: Db, project: string): Promise<OnboardingStatus> {
  const { firstFeature, isSeen } = await findOnboarding(db, project);
  if (isSeen) return { status: 'onboarded' };
  return firstFeature === null
    ? { status: 'onboarding-started' }
    : { status: 'first-flag-created', feature: firstFeature };
}
