import type { FastifyInstance } from 'fastify';
import { streamJson } from '../../../../platform/http/long-json.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { recordExport, textOf, writeExport } from './service.ts';

export function exportRoutes(app: FastifyInstance, { readSnapshot, transact }: Services): void {
  route(app, endpoints.exportFeatures, async ({ body }, { actor, reply }) => {
    const written = await readSnapshot((db) => writeExport(db, actor, body));
    await transact(actor, async (tx) => recordExport(tx, body.environment, written.facts));
    if (body.downloadFile) {
      reply.header('content-disposition', 'attachment; filename="features.json"');
    }
    return streamJson(reply, textOf(written));
  });
}
