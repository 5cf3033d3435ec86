import type { Db } from '../../../../platform/db/database.ts';
import type { OnboardingStatus } from '../../../catalogue/projects/index.ts';
import { findOnboarding } from './queries.ts';

/** Returns how far a project has come towards the first evaluation by an SDK. */
export async function getOnboardingStatus(db: Db, project: string): Promise<OnboardingStatus> {
  const { firstFeature, isSeen } = await findOnboarding(db, project);
  if (isSeen) return { status: 'onboarded' };
  return firstFeature === null
    ? { status: 'onboarding-started' }
    : { status: 'first-flag-created', feature: firstFeature };
}
