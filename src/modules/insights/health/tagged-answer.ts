import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendTagged } from '../../../platform/http/entity-tag.ts';

/** Sends an answer under a tag that changes when it does, or says that the caller has it already. */
export function sendHashed(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: object,
): FastifyReply {
  const body = JSON.stringify(answer);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return sendTagged(request, reply, { entityTag: `"${hash}"`, body: () => body });
}
