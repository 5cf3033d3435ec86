import { defineUseCase } from '../../../platform/module.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { changeSavedView, createSavedView, listSavedViews, removeSavedView } from './service.ts';

export const savedViewUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ db, transact }) => ({
    listSavedViews: async ({ query }, { actor }) => ({
      views: await listSavedViews(db, actor, query),
    }),
    createSavedView: ({ body }, { actor }) => transact(actor, (tx) => createSavedView(tx, body)),
    updateSavedView: ({ params, body }, { actor }) =>
      transact(actor, (tx) => changeSavedView(tx, params.id, body)),
    deleteSavedView: ({ params }, { actor }) =>
      transact(actor, (tx) => removeSavedView(tx, params.id)),
  }),
});
