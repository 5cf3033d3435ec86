import { defineUseCase } from '../../../../../platform/module.ts';
import { environmentAddressOf } from '../../address-schema.ts';
import { presentStrategy } from '../../present.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { addStrategy } from './service.ts';

export const addStrategyUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ transact }) => ({
    addFeatureStrategy: ({ params, body }, { actor }) =>
      transact(actor, async (tx) =>
        presentStrategy(await addStrategy(tx, environmentAddressOf(params), body)),
      ),
  }),
});
