import { defineUseCase } from '../../../../../platform/module.ts';
import { environmentAddressOf } from '../../address-schema.ts';
import { presentStrategy } from '../../present.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { patchStrategy, replaceStrategy, setSegments } from './service.ts';

export const changeStrategyUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ transact }) => ({
    updateFeatureStrategy: ({ params, body }, { actor }) => {
      const address = environmentAddressOf(params);
      return transact(actor, async (tx) =>
        presentStrategy(await replaceStrategy(tx, address, params.strategyId, body)),
      );
    },

    patchFeatureStrategy: ({ params, body }, { actor }) => {
      const address = environmentAddressOf(params);
      return transact(actor, async (tx) =>
        presentStrategy(await patchStrategy(tx, address, params.strategyId, body)),
      );
    },

    setStrategySegments: async ({ body }, { actor }) => {
      await transact(actor, (tx) => setSegments(tx, body));
      return body;
    },
  }),
});
