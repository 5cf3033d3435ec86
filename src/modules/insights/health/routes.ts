import type { FastifyInstance } from 'fastify';
import { takesGzip } from '../../../platform/http/accept-encoding.ts';
import { isNamed } from '../../../platform/http/entity-tag.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import { createReports } from './reports.ts';

/** It was never anything but deprecated here: since the beginning of 2026, as RFC 9745 writes it. */
const deprecatedSince = `@${Date.UTC(2026, 0, 1) / 1000}`;

export function healthRoutes(app: FastifyInstance, services: Services): void {
  const { db, searchDb, clock, settings } = services;
  const reports = createReports({ db, searchDb, clock, baseUrl: settings.baseUrl });

  route(app, contract.getHealthReport, async ({ params }, { actor, request, reply }) => {
    const { projectId } = params;
    reply
      .header('deprecation', deprecatedSince)
      .header(
        'link',
        `</api/admin/projects/${encodeURIComponent(projectId)}/status>; rel="successor-version"`,
      );
    const { entityTag, plain, gzipped } = await reports.get(projectId, actor.id);
    const { headers } = request;
    const isPacked = takesGzip(headers['accept-encoding']);
    reply
      // Packed it is the same in other bytes: a strong tag would say that they are the same.
      .header('etag', isPacked ? `W/${entityTag}` : entityTag)
      .header('cache-control', 'private, no-cache')
      .header('vary', 'Accept-Encoding');
    if (isNamed(headers['if-none-match'], entityTag)) return reply.status(304).send();
    reply.header('content-type', 'application/json; charset=utf-8');
    if (!isPacked) return reply.send(plain());
    return reply.header('content-encoding', 'gzip').send(await gzipped());
  });
}
