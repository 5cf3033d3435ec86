import { defineUseCase } from '../../../../platform/module.ts';
import { favoriteContract as contract } from './contract.ts';
import { addFavorite, removeFavorite } from './service.ts';

export const favoriteUseCase = defineUseCase({
  contract,
  routes: ({ transact }) => ({
    addFavorite: ({ params }, { actor }) =>
      transact(actor, (tx) => addFavorite(tx, params.projectId, params.featureName)),
    removeFavorite: ({ params }, { actor }) =>
      transact(actor, (tx) => removeFavorite(tx, params.projectId, params.featureName)),
  }),
});
