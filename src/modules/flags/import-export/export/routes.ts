import type { FastifyInstance } from 'fastify';
import { sendLongJson } from '../../../../platform/http/long-json.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { readExport, recordExport } from './service.ts';

export function exportRoutes(app: FastifyInstance, { readSnapshot, transact }: Services): void {
  route(app, endpoints.exportFeatures, async ({ body }, { actor, reply }) => {
    const document = await readSnapshot((db) => readExport(db, actor, body));
    await transact(actor, async (tx) => recordExport(tx, body.environment, document));
    if (body.downloadFile) {
      reply.header('content-disposition', 'attachment; filename="features.json"');
    }
    return sendLongJson(reply, document);
  });
}
