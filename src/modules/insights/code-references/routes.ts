import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { removeScan, replaceReferences, searchReferences } from './service.ts';

export function codeReferenceRoutes(
  app: FastifyInstance,
  { readSnapshot, transact }: Services,
): void {
  route(app, endpoints.listCodeReferences, ({ params, query, parsed: { limit, offset } }) => {
    const { feature, repository } = query;
    return searchReferences(readSnapshot, params.projectId, { feature, repository, limit, offset });
  });

  route(app, endpoints.replaceCodeReferences, ({ params, body }, { actor }) =>
    transact(actor, (tx) => replaceReferences(tx, params.projectId, body)),
  );

  route(app, endpoints.deleteCodeReferences, ({ params, query }, { actor }) =>
    transact(actor, (tx) => removeScan(tx, params.projectId, query.repository)),
  );
}
