import type { FastifyInstance } from 'fastify';
import { sendHashed } from '../../../../platform/http/entity-tag.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { statusEndpoints } from './checks.ts';
import { getFindings, getStatus } from './service.ts';

export function statusRoutes(app: FastifyInstance, { readSnapshot, clock }: Services): void {
  route(app, statusEndpoints.getStatus, async ({ params, parsed }, { request, reply }) => {
    const question = { project: params.projectId, now: clock(), search: parsed };
    return sendHashed(request, reply, await getStatus(readSnapshot, question));
  });

  route(app, statusEndpoints.getFindings, async ({ params, parsed }, { request, reply }) => {
    const question = { project: params.projectId, now: clock(), search: parsed };
    return sendHashed(request, reply, await getFindings(readSnapshot, question));
  });
}
