import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../../platform/caller-address.ts';
import { takesGzip } from '../../../platform/http/accept-encoding.ts';
import { isNamed } from '../../../platform/http/entity-tag.ts';
import { holdUntilClosed } from '../../../platform/http/leaving.ts';
import { inBlocks } from '../../../platform/http/long-json.ts';
import { createKeyedSemaphore } from '../../../platform/semaphore.ts';
import type { Answer } from './answers.ts';

const always = {
  'cache-control': 'private, no-cache',
  vary: 'Accept-Encoding, Unleash-Client-Spec',
};

/**
 * Responses that are too large to cache are rendered for each reader. A hundred at once took 600 MB. Applications share
 * tokens, so the address counts.
 */
const streamed = createKeyedSemaphore<string>(2, {
  maxWaiting: 200,
  refusal: 'Too many large responses for this address are under way. Try again later',
});

/**
 * Sends a response, or 304 if the client has it already. Returns undefined once the response is sent: waiting for its
 * last byte, as with `reply`, took a twentieth of the time of a 304.
 */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  isKnown = false,
): Promise<FastifyReply | undefined> {
  const { headers } = request;
  const { entityTag } = answer;
  reply.headers(always).header('etag', entityTag);
  if (isKnown || isNamed(headers['if-none-match'], entityTag)) {
    reply.status(304).send();
    return undefined;
  }
  reply.header('content-type', 'application/json; charset=utf-8');
  const isPacked = takesGzip(headers['accept-encoding']);
  const packed = isPacked ? await answer.gzipped() : undefined;
  if (packed) {
    reply.header('content-encoding', 'gzip').send(packed);
    return undefined;
  }
  const plain = await answer.plain();
  if (!plain) {
    await holdUntilClosed(reply, (signal) => streamed.acquire(callerOf(request.ip), signal));
    return sendPieces(reply, answer.pieces(), isPacked);
  }
  reply.send(plain);
  return undefined;
}

/** Streams a response that is too large to cache while it is rendered, at the speed of its reader. */
export function sendPieces(
  reply: FastifyReply,
  pieces: Iterable<string>,
  isPacked: boolean,
): FastifyReply {
  const plain = Readable.from(inBlocks(pieces), { objectMode: false });
  if (!isPacked) return reply.send(plain);
  const packing = createGzip({ level: 1 });
  // The reply receives an error through the stream that it reads.
  pipeline(plain, packing, () => undefined);
  return reply.header('content-encoding', 'gzip').send(packing);
}
