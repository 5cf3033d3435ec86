import type { FastifyInstance } from 'fastify';
import { sendLongJson } from '../../../platform/http/long-json.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { readExport, recordExport } from './service/export.ts';
import { importFeatures, refuseUnreadable, validateImport } from './service/import.ts';

export function transferRoutes(
  app: FastifyInstance,
  { readSnapshot, transact, clock }: Services,
): void {
  route(app, endpoints.exportFeatures, async ({ body }, { actor, reply }) => {
    const document = await readSnapshot((db) => readExport(db, actor, body));
    await transact(actor, async (tx) => recordExport(tx, body.environment, document));
    if (body.downloadFile) {
      reply.header('content-disposition', 'attachment; filename="features.json"');
    }
    return sendLongJson(reply, document);
  });

  route(app, endpoints.validateImport, async ({ body }, { actor }) => {
    await refuseUnreadable(body);
    return readSnapshot((db) => validateImport(db, { actor, now: clock() }, body));
  });

  route(app, endpoints.importFeatures, async ({ body }, { actor }) => {
    await refuseUnreadable(body);
    return transact(actor, (tx) => importFeatures(tx, body));
  });
}
