import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNamed } from '../../platform/http/entity-tag.ts';

/** Sends an answer under a tag that changes when it does, or says that the caller has it already. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: object,
): FastifyReply {
  const body = JSON.stringify(answer);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const entityTag = `"${hash}"`;
  reply.header('etag', entityTag).header('cache-control', 'private, no-cache');
  if (isNamed(request.headers['if-none-match'], entityTag)) return reply.status(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(body);
}
