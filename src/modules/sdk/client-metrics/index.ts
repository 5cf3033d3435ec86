import { defineModule } from '../../../platform/module.ts';
import { applicationContract } from './contract/applications.ts';
import { featureUsageContract } from './contract/feature-usage.ts';
import { reportContract } from './contract/report.ts';
import { usageJobs } from './jobs.ts';
import { usageRoutes } from './routes.ts';

export { ClientMetricsSchema, metricsFaults, RegistrationSchema } from './contract/report.ts';
export { usageOf } from './usage.ts';

import './tables.ts';

/** What programs that evaluate tell of themselves, and how often each feature was asked for. */
export const usage = defineModule({
  name: 'usage',
  contract: { ...reportContract, ...featureUsageContract, ...applicationContract },
  routes: usageRoutes,
  jobs: usageJobs,
});
