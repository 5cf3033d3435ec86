import { defineModule } from '../../../platform/module.ts';
import { onboardingStatus, projectStats } from '../../catalogue/projects/index.ts';
import { insightsUseCase } from './insights/routes.ts';
import { getStats } from './insights/service.ts';
import { getOnboardingStatus } from './onboarding/service.ts';
import { jobs } from './potentially-stale/jobs.ts';
import { reportUseCase } from './report/routes.ts';
import { updateForgottenReviewer } from './reviews/queries.ts';
import { reviewUseCase } from './reviews/routes.ts';
import { statusUseCase } from './status/routes.ts';

export { recordSomeDue } from './potentially-stale/service.ts';
export { setReview } from './reviews/service.ts';
export { getOnboardingStatus };

import './tables.ts';

/** The health of projects, and its reasons. */
export const health = defineModule({
  name: 'health',
  useCases: [reportUseCase, statusUseCase, insightsUseCase, reviewUseCase],
  forget: async (tx, userId) => {
    await updateForgottenReviewer(tx, userId);
  },
  lookups: [
    projectStats.answeredBy(getStats),
    onboardingStatus.answeredBy((db, { project }) => getOnboardingStatus(db, project)),
  ],
  jobs,
});
