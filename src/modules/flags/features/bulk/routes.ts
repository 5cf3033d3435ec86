import { defineUseCase } from '../../../../platform/module.ts';
import { type Propose, proposingChanges } from './approval.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { changeFeaturesInBulk } from './service.ts';

export const bulkUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ transact, rehearse, runHook }) => ({
    changeFeaturesInBulk: async ({ query, body }, { actor }) => {
      // A dry run is the real run, rolled back, so that both give the same answer.
      const run = query.dryRun === 'true' ? rehearse : transact;
      const propose: Propose = (tx, proposal) => runHook(proposingChanges, tx, proposal);
      return run(actor, (tx) =>
        changeFeaturesInBulk(tx, body, query.propose === 'true' ? propose : undefined),
      );
    },
  }),
});
