import { defineUseCase } from '../../../../platform/module.ts';
import { flushUsage } from '../report/flush.ts';
import { checks } from './checks.ts';
import { featureMetricsContract } from './contract.ts';
import { countEvaluationsFor, getFeatureUsage, listFeatureUsage } from './service.ts';

export const featureMetricsUseCase = defineUseCase({
  contract: featureMetricsContract,
  checks,
  routes: (services) => {
    const { db, searchDb, clock } = services;
    const flushed = () => flushUsage(services);

    return {
      countEvaluations: async ({ body }, { actor }) => {
        await flushed();
        return countEvaluationsFor(searchDb, actor, {
          names: body.features,
          environment: body.environment,
          hours: body.hours,
          now: clock(),
        });
      },

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
