import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { contract, parsePage } from './contract.ts';
import { removeScan, replaceReferences, searchReferences } from './service.ts';

export function codeReferenceRoutes(
  app: FastifyInstance,
  { readSnapshot, transact }: Services,
): void {
  route(app, contract.listCodeReferences, ({ params, query }) => {
    const { limit, offset } = parsePage(query);
    const { feature, repository } = query;
    return searchReferences(readSnapshot, params.projectId, { feature, repository, limit, offset });
  });

  route(app, contract.replaceCodeReferences, ({ params, body }, { actor }) =>
    transact(actor, (tx) => replaceReferences(tx, params.projectId, body)),
  );

  route(app, contract.deleteCodeReferences, ({ params, query }, { actor }) =>
    transact(actor, (tx) => removeScan(tx, params.projectId, query.repository)),
  );
}
