import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { cloneFeature, cloneFeatures } from './service.ts';

export function cloneRoutes(
  app: FastifyInstance,
  { transact, rehearse, settings: { baseUrl } }: Services,
): void {
  // A dry run is the real run, rolled back, so that both give the same answer.
  const run = (dryRun: 'true' | 'false') => (dryRun === 'true' ? rehearse : transact);

  route(app, endpoints.cloneFeature, ({ params, query, body }, { actor }) => {
    const { name, replaceGroupId } = body;
    const options = { project: params.projectId, replaceGroupId, baseUrl };
    return run(query.dryRun)(actor, (tx) =>
      cloneFeature(tx, options, { feature: params.featureName, name }),
    );
  });

  route(app, endpoints.cloneFeatures, async ({ params, query, body }, { actor }) => {
    const options = { project: params.projectId, replaceGroupId: body.replaceGroupId, baseUrl };
    return {
      features: await run(query.dryRun)(actor, (tx) => cloneFeatures(tx, options, body.features)),
    };
  });
}
