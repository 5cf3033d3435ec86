import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { createSlices } from '../../../platform/slices.ts';
import { decisionsEndpoints, endpoints } from './checks.ts';
import { decide } from './decisions/service.ts';
import { evaluate, evaluateAll, type Pieces } from './service.ts';
import { unsavedEndpoints } from './unsaved/checks.ts';
import { evaluateUnsaved } from './unsaved/service.ts';

const blockLength = 64 * 1024;

/**
 * Yields to other work between two pieces. Each feature is compiled when it is reached: compiling 15,000 features at
 * once took 1.4 s.
 */
async function* inBlocks(pieces: Pieces): AsyncGenerator<string> {
  const slices = createSlices();
  let block = '';
  for (const piece of pieces) {
    if (slices.isOver()) await slices.pause();
    block += piece ?? '';
    if (block.length < blockLength) continue;
    yield block;
    block = '';
  }
  yield block;
}

/** Sends JSON as it is made. */
const sendPieces = (reply: FastifyReply, pieces: Pieces): FastifyReply =>
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(Readable.from(inBlocks(pieces), { objectMode: false }));

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
