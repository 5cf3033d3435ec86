import { defineUseCase } from '../../../../../platform/module.ts';
import { environmentAddressOf } from '../../address-schema.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { orderStrategies } from './service.ts';

export const orderStrategyUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ transact }) => ({
    setStrategySortOrder: ({ params, body }, { actor }) =>
      transact(actor, (tx) => orderStrategies(tx, environmentAddressOf(params), body)),
  }),
});
