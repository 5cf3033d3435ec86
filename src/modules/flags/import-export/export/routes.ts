import { streamJson } from '../../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { recordExport, textOf, writeExport } from './service.ts';

export const exportUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ db, readAt, transact }) => ({
    exportFeatures: async ({ body }, { actor, reply }) => {
      const { readSnapshot } = await readAt(db, actor, body.asOf);
      const written = await readSnapshot((at) => writeExport(at, actor, body));
      await transact(actor, async (tx) => recordExport(tx, body.environment, written.facts));
      if (body.downloadFile) {
        reply.header('content-disposition', 'attachment; filename="features.json"');
      }
      return streamJson(reply, textOf(written));
    },
  }),
});
