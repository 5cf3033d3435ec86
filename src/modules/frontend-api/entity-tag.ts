import type { FastifyReply, FastifyRequest } from 'fastify';

const opaque = (tag: string) => tag.trim().replace(/^W\//, '');

/** Whether the tag of an answer is among those that If-None-Match names, as weak tags are compared. */
function isNamed(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag || header.trim() === '*') return true;
  return header.split(',').some((each) => opaque(each) === opaque(tag));
}

/** Sends JSON that is ready under its tag, or 304 to whoever has it already. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { entityTag, body }: { readonly entityTag: string; readonly body: () => Buffer },
): FastifyReply {
  reply.header('etag', entityTag).header('cache-control', 'private, no-cache');
  if (isNamed(request.headers['if-none-match'], entityTag)) return reply.status(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(body());
}
