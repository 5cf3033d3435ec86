import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What proxies that compress add to a tag of ours. */
const coding = /(?:--?|;)(?:gzip|br|deflate|zstd)$/;

/**
 * The names that If-None-Match holds, without what says that they are weak, and without what a proxy may have
 * added to them. `*` is one too.
 */
export function namesIn(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  return header.split(',').flatMap((each) => {
    const [, quoted] = /^(?:W\/)?"(.*)"$/.exec(each.trim()) ?? [];
    const name = quoted ?? each.trim();
    return coding.test(name) ? [name, name.replace(coding, '')] : [name];
  });
}

/** Whether the tag of an answer is among those that If-None-Match names, as weak tags are compared. */
export function isNamed(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag) return true;
  const [own] = namesIn(tag);
  return namesIn(header).some((each) => each === '*' || each === own);
}

/** Sends JSON that is ready under its tag, or 304 to whoever has it already. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { entityTag, body }: { readonly entityTag: string; readonly body: () => Buffer | string },
): FastifyReply {
  reply.header('etag', entityTag).header('cache-control', 'private, no-cache');
  if (isNamed(request.headers['if-none-match'], entityTag)) return reply.status(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(body());
}

/** Sends an answer under a tag that is the hash of its JSON, or 304 to a caller who has it already. */
export function sendHashed(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: object,
): FastifyReply {
  const body = JSON.stringify(answer);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return sendTagged(request, reply, { entityTag: `"${hash}"`, body: () => body });
}
