import { defineModule } from '../../../platform/module.ts';
import { evaluationsBetween } from '../../history/index.ts';
import { applicationUseCase } from './applications/routes.ts';
import { countEvaluationsBetween } from './feature-metrics/queries.ts';
import { featureMetricsUseCase } from './feature-metrics/routes.ts';
import { reportUseCase } from './report/routes.ts';
import { usageJobs } from './retention/jobs.ts';

export {
  annotateApplication,
  countUnknownFlags,
  ignoreName,
  importApplication,
} from './applications/service.ts';
export { parseInstant } from './moment.ts';
export { storeBatch } from './report/store.ts';
export { createUsage } from './report/usage.ts';

import './tables.ts';

export const clientMetrics = defineModule({
  name: 'client-metrics',
  useCases: [reportUseCase, featureMetricsUseCase, applicationUseCase],
  setUp: ({ usage, metrics }) => {
    metrics.gauge(
      {
        name: 'burgee_usage_waiting',
        help: 'Counts that SDKs reported and that are not stored yet',
      },
      usage.waiting,
    );
  },
  lookups: [evaluationsBetween.answeredBy(countEvaluationsBetween)],
  jobs: usageJobs,
});
