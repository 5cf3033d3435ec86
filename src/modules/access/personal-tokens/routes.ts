import { pathId } from '../../../platform/http/path-id.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { requireAccount } from '../users/index.ts';
import { contract } from './contract.ts';
import { createPersonalToken, listPersonalTokens, removePersonalToken } from './service.ts';

export const personalTokenUseCase = defineUseCase({
  contract,
  routes: ({ db, transact }) => ({
    listPersonalTokens: async (_input, { actor }) => ({
      pats: await listPersonalTokens(db, requireAccount(actor)),
    }),

    createPersonalToken: async ({ body }, { actor }) => {
      const owner = { id: requireAccount(actor) };
      return transact(actor, (tx) => createPersonalToken(tx, owner, body));
    },

    deletePersonalToken: async ({ params }, { actor }) => {
      const owner = { id: requireAccount(actor) };
      const id = pathId('personal access token', params.id);
      return transact(actor, (tx) => removePersonalToken(tx, owner, id));
    },
  }),
});
