import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { budgetContract } from './contract.ts';
import { getBudget } from './service.ts';

export function budgetRoutes(app: FastifyInstance, { db, clock }: Services): void {
  route(app, budgetContract.getBudget, async ({ params }) => ({
    version: 1,
    ...(await getBudget(db, params.projectId, clock())),
  }));
}
