import type { FastifyInstance } from 'fastify';
import { takesGzip } from '../../../../platform/http/accept-encoding.ts';
import { isNamed } from '../../../../platform/http/entity-tag.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { reportContract } from './contract.ts';
import { createReports } from './report-cache.ts';

/** The operation was deprecated from its beginning: since 1 January 2026, in the format of RFC 9745. */
const deprecatedSince = `@${Date.UTC(2026, 0, 1) / 1000}`;

export function reportRoutes(
  app: FastifyInstance,
  { db, readSnapshot, clock, settings: { baseUrl } }: Services,
): void {
  const reports = createReports({ db, readSnapshot, clock, baseUrl });

  route(app, reportContract.getHealthReport, async ({ params }, { actor, request, reply }) => {
    const { projectId } = params;
    reply
      .header('deprecation', deprecatedSince)
      .header(
        'link',
        `</api/admin/projects/${encodeURIComponent(projectId)}/status>; rel="successor-version"`,
      );
    const { entityTag, plain, gzipped } = await reports.get(projectId, actor);
    const { headers } = request;
    const isPacked = takesGzip(headers['accept-encoding']);
    reply
      // A strong tag would promise the same bytes to callers that do not accept gzip.
      .header('etag', isPacked ? `W/${entityTag}` : entityTag)
      .header('cache-control', 'private, no-cache')
      .header('vary', 'Accept-Encoding');
    if (isNamed(headers['if-none-match'], entityTag)) return reply.status(304).send();
    reply.header('content-type', 'application/json; charset=utf-8');
    if (!isPacked) return reply.send(await plain());
    return reply.header('content-encoding', 'gzip').send(await gzipped());
  });
}
