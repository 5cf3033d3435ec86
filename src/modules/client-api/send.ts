import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesGzip } from '../../platform/http/accept-encoding.ts';
import { isNamed } from '../../platform/http/entity-tag.ts';
import { type Answer, entityTagOf } from './answers.ts';

const always = {
  'cache-control': 'private, no-cache',
  vary: 'Accept-Encoding, Unleash-Client-Spec',
};

/** An answer that is ready; 304 without it, to who has it already. */
export async function sendAnswer(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  isKnown?: boolean,
): Promise<FastifyReply> {
  const entityTag = entityTagOf(answer.name);
  reply.headers(always).header('etag', entityTag);
  if (isKnown || isNamed(headers['if-none-match'], entityTag)) {
    return reply.status(304).send();
  }
  reply.header('content-type', 'application/json; charset=utf-8');
  const packed = takesGzip(headers['accept-encoding']) ? await answer.gzipped() : undefined;
  if (!packed) return reply.send(answer.plain());
  return reply.header('content-encoding', 'gzip').send(packed);
}
