import { defineUseCase } from '../../../../platform/module.ts';
import { favoriteContract } from './contract.ts';
import { addFavorite, removeFavorite } from './service.ts';

export const favoriteUseCase = defineUseCase({
  contract: favoriteContract,
  routes: ({ transact }) => ({
    addFavorite: ({ params }, { actor }) =>
      transact(actor, (tx) => addFavorite(tx, params.projectId)),
    removeFavorite: ({ params }, { actor }) =>
      transact(actor, (tx) => removeFavorite(tx, params.projectId)),
  }),
});
