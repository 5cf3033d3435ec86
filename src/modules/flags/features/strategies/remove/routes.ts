import { defineUseCase } from '../../../../../platform/module.ts';
import { environmentAddressOf } from '../../address-schema.ts';
import { contract } from './contract.ts';
import { removeStrategy } from './service.ts';

export const removeStrategyUseCase = defineUseCase({
  contract,
  routes: ({ transact }) => ({
    deleteFeatureStrategy: ({ params }, { actor }) =>
      transact(actor, (tx) => removeStrategy(tx, environmentAddressOf(params), params.strategyId)),
  }),
});
