import { defineUseCase } from '../../../../platform/module.ts';
import { flushUsage } from '../report/flush.ts';
import { checks } from './checks.ts';
import { featureMetricsContract } from './contract.ts';
import { getFeatureUsage, listFeatureUsage } from './service.ts';

export const featureMetricsUseCase = defineUseCase({
  contract: featureMetricsContract,
  checks,
  routes: (services) => {
    const { db, searchDb, clock } = services;
    const flushed = () => flushUsage(services);

    return {
      getFeatureUsage: async ({ params }) => {
        await flushed();
        return getFeatureUsage(db, params.featureName, clock());
      },

      listFeatureUsage: async ({ params, query }) => {
        await flushed();
        return listFeatureUsage(searchDb, params.featureName, {
          now: clock(),
          ...(query.hoursBack !== undefined && { hoursBack: Number(query.hoursBack) }),
        });
      },
    };
  },
});
