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
  routes: ({ db, readAt, transact }) => ({
    listStrategyTypes: async ({ query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { version: 1, strategies: await listStrategyTypesFor(at.db, actor) };
    },

    getStrategyType: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return getStrategyTypeFor(at.db, actor, params.strategyName);
    },

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
