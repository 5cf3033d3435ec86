import { applicationContract } from './applications/contract.ts';
import { featureMetricsContract } from './feature-metrics/contract.ts';
import { reportContract } from './report/contract.ts';

export const clientMetricsContract = {
  ...reportContract,
  ...featureMetricsContract,
  ...applicationContract,
};
