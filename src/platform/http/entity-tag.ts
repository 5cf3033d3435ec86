import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Returns a short hash of a response, or of a part of it. */
export const digestOf = (content: string | Buffer): string =>
  hash('sha256', content, 'base64url').slice(0, 22);

/** Suffixes that compressing proxies append to our tags. */
const coding = /(?:--?|;)(?:gzip|br|deflate|zstd)$/;

/** Returns the tags of If-None-Match, without weak prefixes and proxies' suffixes. `*` is returned as a tag. */
export function namesIn(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  return header.split(',').flatMap((each) => {
    const [, quoted] = /^(?:W\/)?"(.*)"$/.exec(each.trim()) ?? [];
    const name = quoted ?? each.trim();
    return coding.test(name) ? [name, name.replace(coding, '')] : [name];
  });
}

/** Returns whether If-None-Match contains the tag, by weak comparison. */
export function isNamed(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag) return true;
  const [own] = namesIn(tag);
  return namesIn(header).some((each) => each === '*' || each === own);
}

/** Sends a response tagged with its hash, or 304 if the caller has it already. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  content: string,
  type: string,
): FastifyReply {
  // A weak tag, because plain and compressed responses share it.
  const entityTag = `W/"${digestOf(content)}"`;
  reply.header('etag', entityTag);
  if (isNamed(request.headers['if-none-match'], entityTag)) return reply.status(304).send();
  return reply.header('content-type', type).send(content);
}

/** Sends a JSON response tagged with its hash, or 304 if the caller has it already. */
export function sendHashed(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: object,
): FastifyReply {
  reply.header('cache-control', 'private, no-cache');
  return sendTagged(request, reply, JSON.stringify(answer), 'application/json; charset=utf-8');
}
