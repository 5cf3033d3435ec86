import type { FastifyInstance } from 'fastify';
import { sendHashed } from '../../../../platform/http/entity-tag.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { insightsContract } from './contract.ts';
import { getInsights, getLeadTime } from './service.ts';

export function insightsRoutes(app: FastifyInstance, { searchDb, clock }: Services): void {
  route(app, insightsContract.getInsights, async ({ params }, { request, reply }) =>
    sendHashed(request, reply, await getInsights(searchDb, params.projectId, clock())),
  );

  route(app, insightsContract.getDora, async ({ params }, { request, reply }) =>
    sendHashed(request, reply, await getLeadTime(searchDb, params.projectId, clock())),
  );
}
