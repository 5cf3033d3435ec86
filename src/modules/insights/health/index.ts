import { defineModule } from '../../../platform/module.ts';
import { onboardingStatus, projectStats } from '../../catalogue/projects/index.ts';
import { insightsContract } from './insights/contract.ts';
import { insightsRoutes } from './insights/routes.ts';
import { getStats } from './insights/service.ts';
import { getOnboardingStatus } from './onboarding/service.ts';
import { jobs } from './potentially-stale/jobs.ts';
import { reportContract } from './report/contract.ts';
import { reportRoutes } from './report/routes.ts';
import { reviewEndpoints } from './reviews/checks.ts';
import { updateForgottenReviewer } from './reviews/queries.ts';
import { reviewRoutes } from './reviews/routes.ts';
import { statusEndpoints } from './status/checks.ts';
import { statusRoutes } from './status/routes.ts';

export { recordSomeDue } from './potentially-stale/service.ts';
export { setReview } from './reviews/service.ts';
export { getOnboardingStatus };

import './tables.ts';

/** The health of projects, and its reasons. */
export const health = defineModule({
  name: 'health',
  contract: {
    ...reportContract,
    ...statusEndpoints,
    ...insightsContract,
    ...reviewEndpoints,
  },
  routes: (app, services) => {
    reportRoutes(app, services);
    statusRoutes(app, services);
    insightsRoutes(app, services);
    reviewRoutes(app, services);
  },
  forget: async (tx, userId) => {
    await updateForgottenReviewer(tx, userId);
  },
  lookups: [
    projectStats.answeredBy(getStats),
    onboardingStatus.answeredBy((db, { project }) => getOnboardingStatus(db, project)),
  ],
  jobs,
});
