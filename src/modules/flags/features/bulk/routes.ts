import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { changeFeaturesInBulk } from './service.ts';

export const bulkUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ transact, rehearse }) => ({
    changeFeaturesInBulk: async ({ query, body }, { actor }) => {
      // A dry run is the real run, rolled back, so that both give the same answer.
      const run = query.dryRun === 'true' ? rehearse : transact;
      return run(actor, (tx) => changeFeaturesInBulk(tx, body));
    },
  }),
});
