import { defineUseCase } from '../../../../../platform/module.ts';
import { environmentAddressOf } from '../../address-schema.ts';
import { presentStrategy } from '../../present.ts';
import { contract } from './contract.ts';
import { getFeatureStrategy, listFeatureStrategies } from './service.ts';

export const readStrategyUseCase = defineUseCase({
  contract,
  routes: ({ db }) => ({
    listFeatureStrategies: async ({ params }) =>
      (await listFeatureStrategies(db, environmentAddressOf(params))).map(presentStrategy),
    getFeatureStrategy: async ({ params }) =>
      presentStrategy(
        await getFeatureStrategy(db, environmentAddressOf(params), params.strategyId),
      ),
  }),
});
