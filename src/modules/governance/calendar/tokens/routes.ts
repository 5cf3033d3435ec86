import { pathId } from '../../../../platform/http/path-id.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { requireAccount } from '../../../access/users/index.ts';
import { tokensContract } from './contract.ts';
import { listTokensOf } from './queries.ts';
import { createCalendarToken, removeCalendarToken } from './service.ts';

export const tokensUseCase = defineUseCase({
  contract: tokensContract,
  routes: ({ db, transact, settings: { baseUrl } }) => ({
    listCalendarTokens: async (_input, { actor }) => ({
      tokens: await listTokensOf(db, requireAccount(actor)),
    }),
    createCalendarToken: ({ body }, { actor }) =>
      transact(actor, (tx) => createCalendarToken(tx, body, baseUrl)),
    deleteCalendarToken: ({ params }, { actor }) =>
      transact(actor, (tx) => removeCalendarToken(tx, pathId('calendar token', params.id))),
  }),
});
