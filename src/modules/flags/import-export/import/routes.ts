import { defineUseCase } from '../../../../platform/module.ts';
import { orPropose } from '../../../../platform/permission.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { importFeatures, refuseUnreadable, validateImport } from './service.ts';

export const importUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ readSnapshot, transact, clock }) => ({
    validateImport: async ({ body }, { actor }) => {
      await refuseUnreadable(body);
      return readSnapshot((db) => validateImport(db, { actor, now: clock() }, body));
    },

    importFeatures: async ({ query, body }, { actor }) => {
      await refuseUnreadable(body);
      return orPropose(actor, query, (by) => transact(by, (tx) => importFeatures(tx, body)));
    },
  }),
});
