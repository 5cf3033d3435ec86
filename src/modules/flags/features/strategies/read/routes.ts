import { defineUseCase } from '../../../../../platform/module.ts';
import { environmentAddressOf } from '../../address-schema.ts';
import { presentStrategy } from '../../present.ts';
import { contract } from './contract.ts';
import { getFeatureStrategy, listFeatureStrategies } from './service.ts';

export const readStrategyUseCase = defineUseCase({
  contract,
  routes: ({ db, readAt }) => ({
    listFeatureStrategies: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      const strategies = await listFeatureStrategies(at.db, environmentAddressOf(params));
      return strategies.map(presentStrategy);
    },

    getFeatureStrategy: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      const address = environmentAddressOf(params);
      return presentStrategy(await getFeatureStrategy(at.db, address, params.strategyId));
    },
  }),
});
