import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { importFeatures, refuseUnreadable, validateImport } from './service.ts';

export function importRoutes(
  app: FastifyInstance,
  { readSnapshot, transact, clock }: Services,
): void {
  route(app, endpoints.validateImport, async ({ body }, { actor }) => {
    await refuseUnreadable(body);
    return readSnapshot((db) => validateImport(db, { actor, now: clock() }, body));
  });

  route(app, endpoints.importFeatures, async ({ body }, { actor }) => {
    await refuseUnreadable(body);
    return transact(actor, (tx) => importFeatures(tx, body));
  });
}
