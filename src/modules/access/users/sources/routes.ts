import { sendLongJson } from '../../../../platform/http/long-json.ts';
import { pathId } from '../../../../platform/http/path-id.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { requireAccount } from '../accounts/service.ts';
import { sourceContract } from './contract.ts';
import { explainAccess } from './service.ts';

export const sourceUseCase = defineUseCase({
  contract: sourceContract,
  routes: ({ db, settings }) => ({
    explainAccess: async ({ params }, { reply }) =>
      sendLongJson(reply, await explainAccess(db, pathId('user', params.id), settings.baseUrl)),
    explainOwnAccess: async (_input, { actor, reply }) =>
      sendLongJson(reply, await explainAccess(db, requireAccount(actor), settings.baseUrl)),
  }),
});
