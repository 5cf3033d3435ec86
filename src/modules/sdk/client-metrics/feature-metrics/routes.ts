import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { featureMetricsEndpoints } from './checks.ts';
import { getFeatureUsage, listFeatureUsage } from './service.ts';

export function featureMetricsRoutes(
  app: FastifyInstance,
  services: Services,
  flushed: () => Promise<void>,
): void {
  const { db, searchDb, clock } = services;

  route(app, featureMetricsEndpoints.getFeatureUsage, async ({ params }) => {
    await flushed();
    return getFeatureUsage(db, params.featureName, clock());
  });

  route(app, featureMetricsEndpoints.listFeatureUsage, async ({ params, query }) => {
    await flushed();
    return listFeatureUsage(searchDb, params.featureName, {
      now: clock(),
      ...(query.hoursBack !== undefined && { hoursBack: Number(query.hoursBack) }),
    });
  });
}
