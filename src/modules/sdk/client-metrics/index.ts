import { defineModule } from '../../../platform/module.ts';
import { applicationEndpoints } from './applications/checks.ts';
import { applicationRoutes } from './applications/routes.ts';
import { featureMetricsEndpoints } from './feature-metrics/checks.ts';
import { featureMetricsRoutes } from './feature-metrics/routes.ts';
import { reportEndpoints } from './report/checks.ts';
import { reportRoutes } from './report/routes.ts';
import { usageJobs } from './retention/jobs.ts';

export { annotateApplication, ignoreName, importApplication } from './applications/service.ts';
export { metricsFaults } from './report/checks.ts';
export { storeBatch } from './report/store.ts';
export { createUsage } from './report/usage.ts';

import './tables.ts';

export const clientMetrics = defineModule({
  name: 'client-metrics',
  contract: { ...reportEndpoints, ...featureMetricsEndpoints, ...applicationEndpoints },
  routes: (app, services) => {
    const { usage, figures } = services;
    figures.gauge(
      {
        name: 'burgee_usage_waiting',
        help: 'Counts that SDKs reported and that are not stored yet',
      },
      usage.waiting,
    );
    // A reader sees what this instance received until now, and what other instances received a second ago.
    const flushed = () => usage.flush().catch(() => undefined);
    reportRoutes(app, services);
    featureMetricsRoutes(app, services, flushed);
    applicationRoutes(app, services, flushed);
  },
  jobs: usageJobs,
});
