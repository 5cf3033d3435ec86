import { streamJson } from '../../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { recordExport, textOf, writeExport } from './service.ts';

export const exportUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ readSnapshot, transact }) => ({
    exportFeatures: async ({ body }, { actor, reply }) => {
      const written = await readSnapshot((db) => writeExport(db, actor, body));
      await transact(actor, async (tx) => recordExport(tx, body.environment, written.facts));
      if (body.downloadFile) {
        reply.header('content-disposition', 'attachment; filename="features.json"');
      }
      return streamJson(reply, textOf(written));
    },
  }),
});
