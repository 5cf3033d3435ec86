import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { historyEndpoints } from './checks.ts';
import { getHistory } from './service.ts';

export function historyRoutes(app: FastifyInstance, { readSnapshot, clock }: Services): void {
  route(app, historyEndpoints.getHealthHistory, async ({ params, query }) => ({
    version: 1,
    ...(await getHistory(readSnapshot, params.projectId, { ...query, now: clock() })),
  }));
}
