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
        from: await reachEventAt(services, { asOf: from, now, name: '/query/from' }),
        to: await reachEventAt(services, { asOf: to, now, name: '/query/to' }),
      };
      return sendLongJson(reply, await getDifference(searchDb, actor, { ...moments, ...filter }));
    },
  }),
});
