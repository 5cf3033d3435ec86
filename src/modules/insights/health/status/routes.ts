import { sendHashed } from '../../../../platform/http/entity-tag.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { statusContract } from './contract.ts';
import { getFindings, getStatus } from './service.ts';

export const statusUseCase = defineUseCase({
  contract: statusContract,
  checks,
  routes: ({ readSnapshot, clock, settings: { baseUrl } }) => ({
    getStatus: async ({ params, parsed }, { request, reply }) => {
      const question = { project: params.projectId, now: clock(), search: parsed, baseUrl };
      return sendHashed(request, reply, await getStatus(readSnapshot, question));
    },

    getFindings: async ({ params, parsed }, { request, reply }) => {
      const question = { project: params.projectId, now: clock(), search: parsed, baseUrl };
      return sendHashed(request, reply, await getFindings(readSnapshot, question));
    },
  }),
});
