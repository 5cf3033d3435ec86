import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { historyContract } from './contract.ts';
import { getHistory } from './service.ts';

export const historyUseCase = defineUseCase({
  contract: historyContract,
  checks,
  routes: ({ readSnapshot, clock }) => ({
    getHealthHistory: async ({ params, query }) => ({
      version: 1,
      ...(await getHistory(readSnapshot, params.projectId, { ...query, now: clock() })),
    }),
  }),
});
