import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/endpoint.ts';
import type { Services } from '../../platform/module.ts';
import { contract } from './contract.ts';
import { isNamed } from './entity-tag.ts';
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
    const { entityTag, body } = await reports.get(projectId, actor.id);
    reply.header('etag', entityTag).header('cache-control', 'private, no-cache');
    if (isNamed(request.headers['if-none-match'], entityTag)) return reply.status(304).send();
    return reply.header('content-type', 'application/json; charset=utf-8').send(body());
  });
}
