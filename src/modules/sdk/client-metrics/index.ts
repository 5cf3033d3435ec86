import { defineModule } from '../../../platform/module.ts';
import { applicationEndpoints, featureUsageEndpoints, reportEndpoints } from './checks.ts';
import { usageJobs } from './jobs.ts';
import { usageRoutes } from './routes.ts';

export { metricsFaults } from './checks.ts';
export { usageOf } from './usage.ts';

import './tables.ts';

/** What programs that evaluate tell of themselves, and how often each feature was asked for. */
export const usage = defineModule({
  name: 'usage',
  contract: { ...reportEndpoints, ...featureUsageEndpoints, ...applicationEndpoints },
  routes: usageRoutes,
  jobs: usageJobs,
});
