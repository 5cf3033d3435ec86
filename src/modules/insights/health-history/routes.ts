import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { getBudget, getHistory } from './service.ts';

/** The version of the answers' shape. */
const version = 1;

export function healthHistoryRoutes(
  app: FastifyInstance,
  { db, readSnapshot, clock }: Services,
): void {
  route(app, endpoints.getHealthHistory, async ({ params, query }) => ({
    version,
    ...(await getHistory(readSnapshot, params.projectId, { ...query, now: clock() })),
  }));

  route(app, endpoints.getBudget, async ({ params }) => ({
    version,
    ...(await getBudget(db, params.projectId, clock())),
  }));
}
