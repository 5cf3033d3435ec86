import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesGzip } from '../../platform/http/accept-encoding.ts';
import type { Answer } from './answers.ts';
import { entityTagOf, namesIn } from './entity-tag.ts';

const always = {
  'cache-control': 'private, no-cache',
  vary: 'Accept-Encoding, Unleash-Client-Spec',
};

/** Whether what If-None-Match names is this answer. */
function hasIt(header: string | undefined, { name }: Answer, entityTag: string): boolean {
  return header === entityTag || namesIn(header).some((each) => each === '*' || each === name);
}

/** An answer that is ready; 304 without it, to who has it already. */
export async function sendAnswer(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  isKnown?: boolean,
): Promise<FastifyReply> {
  const entityTag = entityTagOf(answer.name);
  reply.headers(always).header('etag', entityTag);
  if (isKnown || hasIt(headers['if-none-match'], answer, entityTag)) {
    return reply.status(304).send();
  }
  reply.header('content-type', 'application/json; charset=utf-8');
  const packed = takesGzip(headers['accept-encoding']) ? await answer.gzipped() : undefined;
  if (!packed) return reply.send(answer.plain());
  return reply.header('content-encoding', 'gzip').send(packed);
}
