import { defineUseCase } from '../../../platform/module.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import {
  changeStrategyType,
  createStrategyType,
  deprecateStrategyType,
  getStrategyTypeFor,
  listStrategyTypesFor,
  listStrategyTypeUsesFor,
  reactivateStrategyType,
  removeStrategyType,
} from './service.ts';

export const strategyTypeUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ db, transact }) => ({
    listStrategyTypes: async (_input, { actor }) => ({
      version: 1,
      strategies: await listStrategyTypesFor(db, actor),
    }),

    getStrategyType: ({ params }, { actor }) => getStrategyTypeFor(db, actor, params.strategyName),
    listStrategyTypeUses: ({ params }, { actor }) =>
      listStrategyTypeUsesFor(db, actor, params.strategyName),
    createStrategyType: ({ body }, { actor }) =>
      transact(actor, (tx) => createStrategyType(tx, body)),
    updateStrategyType: ({ params, body }, { actor }) =>
      transact(actor, (tx) => changeStrategyType(tx, params.strategyName, body)),
    deleteStrategyType: ({ params }, { actor }) =>
      transact(actor, (tx) => removeStrategyType(tx, params.strategyName)),
    deprecateStrategyType: ({ params }, { actor }) =>
      transact(actor, (tx) => deprecateStrategyType(tx, params.strategyName)),
    reactivateStrategyType: ({ params }, { actor }) =>
      transact(actor, (tx) => reactivateStrategyType(tx, params.strategyName)),
  }),
});
