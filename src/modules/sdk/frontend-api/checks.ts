import type { Checks } from '../../../platform/http/checked.ts';
import { metricsFaults } from '../client-metrics/report/checks.ts';
import type { contract } from './contract.ts';

export const checks = {
  registerFrontendMetrics: metricsFaults,
} satisfies Checks<typeof contract>;
