import { checked } from '../../../platform/http/checked.ts';
import { metricsFaults } from '../client-metrics/index.ts';
import { contract } from './contract.ts';

export const endpoints = checked(contract, {
  registerFrontendMetrics: metricsFaults,
});
