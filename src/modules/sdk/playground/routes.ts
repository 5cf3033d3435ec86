import type { FastifyInstance, FastifyReply } from 'fastify';
import { streamJson } from '../../../platform/http/long-json.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { decisionsEndpoints, endpoints } from './checks.ts';
import { decide } from './decisions/service.ts';
import { evaluate, evaluateAll, type Pieces } from './service.ts';
import { unsavedEndpoints } from './unsaved/checks.ts';
import { evaluateUnsaved } from './unsaved/service.ts';

const sendPieces = (reply: FastifyReply, pieces: Pieces) =>
  streamJson(reply.header('cache-control', 'no-store'), pieces);

export function playgroundRoutes(app: FastifyInstance, { db, clock, definitions }: Services): void {
  route(app, endpoints.evaluate, async ({ body }, { actor, reply }) => {
    const snapshot = await definitions.current();
    return sendPieces(reply, await evaluate(body, { snapshot, actor, clock }));
  });

  route(app, endpoints.evaluateAll, async ({ body }, { actor, reply }) => {
    const snapshot = await definitions.current();
    return sendPieces(reply, await evaluateAll(body, { snapshot, actor, clock }));
  });

  route(app, decisionsEndpoints.decide, async ({ body }, { actor, reply }) => {
    const snapshot = await definitions.current();
    return sendPieces(reply, await decide(body, { snapshot, actor, clock }));
  });

  route(app, unsavedEndpoints.evaluateUnsaved, async ({ params, body }, { actor, reply }) => {
    const sources = { snapshot: await definitions.current(), actor, clock };
    const { projectId: project, featureName, environment } = params;
    const address = { project, featureName, environment };
    return sendPieces(reply, await evaluateUnsaved(db, address, body, sources));
  });
}
