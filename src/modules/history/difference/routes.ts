import { sendLongJson } from '../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { reachEventAt } from '../read-at.ts';
import { differenceContract } from './contract.ts';
import { getDifference } from './service.ts';

export const differenceUseCase = defineUseCase({
  contract: differenceContract,
  routes: (services) => ({
    getDifference: async ({ query: { from, to, ...filter } }, { actor, reply }) => {
      const { searchDb, clock } = services;
      const now = clock();
      const moments = {
        from: await reachEventAt(services, { asOf: from, now }),
        to: await reachEventAt(services, { asOf: to, now }),
      };
      return sendLongJson(reply, await getDifference(searchDb, actor, { ...moments, ...filter }));
    },
  }),
});
