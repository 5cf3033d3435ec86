import { defineUseCase } from '../../../../platform/module.ts';
import { budgetContract } from './contract.ts';
import { getBudget } from './service.ts';

export const budgetUseCase = defineUseCase({
  contract: budgetContract,
  routes: ({ db, clock }) => ({
    getBudget: async ({ params }) => ({
      version: 1,
      ...(await getBudget(db, params.projectId, clock())),
    }),
  }),
});
