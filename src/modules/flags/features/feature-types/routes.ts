import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { featureTypeContract as contract } from './contract.ts';
import { listFeatureTypes, setLifetime } from './service.ts';

/** Clients of the reference expect the version of the answer's format. */
const version = 1;

export function featureTypeRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, contract.listFeatureTypes, async (_input, { actor }) => ({
    version,
    types: await listFeatureTypes(db, actor.sees),
  }));

  route(app, contract.setLifetime, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setLifetime(tx, params.id, body.lifetimeDays)),
  );
}
