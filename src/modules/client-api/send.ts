import type { FastifyReply, FastifyRequest } from 'fastify';
import { andThen } from '../../platform/and-then.ts';
import { takesGzip } from '../../platform/http/accept-encoding.ts';
import { isNamed } from '../../platform/http/entity-tag.ts';
import type { Answer } from './answers.ts';

const always = {
  'cache-control': 'private, no-cache',
  vary: 'Accept-Encoding, Unleash-Client-Spec',
};

/** An answer that is ready; 304 without it, to who has it already. */
export function sendAnswer(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  isKnown?: boolean,
): FastifyReply | Promise<FastifyReply> {
  const { entityTag } = answer;
  reply.headers(always).header('etag', entityTag);
  if (isKnown || isNamed(headers['if-none-match'], entityTag)) return reply.status(304).send();
  reply.header('content-type', 'application/json; charset=utf-8');
  return andThen(takesGzip(headers['accept-encoding']) ? answer.gzipped() : undefined, (packed) =>
    packed ? reply.header('content-encoding', 'gzip').send(packed) : reply.send(answer.plain()),
  );
}
