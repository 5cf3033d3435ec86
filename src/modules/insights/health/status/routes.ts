import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { sendHashed } from '../tagged-answer.ts';
import { statusContract } from './contract.ts';
import { parseFindings } from './search.ts';
import { getFindings, getStatus } from './status.ts';

export function statusRoutes(app: FastifyInstance, { readSnapshot, clock }: Services): void {
  route(app, statusContract.getStatus, async ({ params, query }, { request, reply }) => {
    const question = { project: params.projectId, now: clock(), search: parseFindings(query) };
    return sendHashed(request, reply, await getStatus(readSnapshot, question));
  });

  route(app, statusContract.getFindings, async ({ params, query }, { request, reply }) => {
    const question = { project: params.projectId, now: clock(), search: parseFindings(query) };
    return sendHashed(request, reply, await getFindings(readSnapshot, question));
  });
}
