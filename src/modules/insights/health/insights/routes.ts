import { sendHashed } from '../../../../platform/http/entity-tag.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { insightsContract } from './contract.ts';
import { getInsights, getLeadTime } from './service.ts';

export const insightsUseCase = defineUseCase({
  contract: insightsContract,
  routes: ({ searchDb, clock }) => ({
    getInsights: async ({ params }, { request, reply }) =>
      sendHashed(request, reply, await getInsights(searchDb, params.projectId, clock())),
    getDora: async ({ params }, { request, reply }) =>
      sendHashed(request, reply, await getLeadTime(searchDb, params.projectId, clock())),
  }),
});
