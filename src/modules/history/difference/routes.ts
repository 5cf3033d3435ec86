import { defineUseCase } from '../../../platform/module.ts';
import { differenceContract } from './contract.ts';
import { getDifference } from './service.ts';

export const differenceUseCase = defineUseCase({
  contract: differenceContract,
  routes: ({ searchDb, clock }) => ({
    getDifference: ({ query }) => getDifference(searchDb, { ...query, now: clock() }),
  }),
});
