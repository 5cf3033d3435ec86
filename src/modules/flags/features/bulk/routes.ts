import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { changeFeaturesInBulk } from './service.ts';

export function bulkRoutes(app: FastifyInstance, { transact, rehearse }: Services): void {
  route(app, endpoints.changeFeaturesInBulk, async ({ query, body }, { actor }) => {
    // A dry run is the real run, rolled back, so that both give the same answer.
    const run = query.dryRun === 'true' ? rehearse : transact;
    return { features: await run(actor, (tx) => changeFeaturesInBulk(tx, body)) };
  });
}
