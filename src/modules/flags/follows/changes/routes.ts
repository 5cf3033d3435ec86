import { sendReadyJson } from '../../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { changesContract } from './contract.ts';
import { pageJson, pageOf } from './page.ts';
import { listFollowedChanges } from './queries.ts';

export const changesUseCase = defineUseCase({
  contract: changesContract,
  routes: ({ searchDb }) => ({
    listChanges: async ({ query }, { actor, reply }) => {
      const page = pageOf(actor, query);
      const rows = await listFollowedChanges(searchDb, page);
      return sendReadyJson(reply, `{${pageJson(rows, page.size)}}`);
    },
  }),
});
