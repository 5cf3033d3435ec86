import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesGzip } from './accept-encoding.ts';
import { digestOf, isNamed } from './entity-tag.ts';

const pack = promisify(gzip);

/**
 * Returns a handler for a document that never changes. It is serialised and compressed once, when it is first
 * requested: the OpenAPI document has 1.9 MB, which took 12 ms for each request, and each reader had a copy.
 */
export function constantJson(
  render: () => unknown,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const prepare = async () => {
    const plain = Buffer.from(JSON.stringify(render()));
    return { plain, packed: await pack(plain), entityTag: `W/"${digestOf(plain)}"` };
  };
  let prepared: ReturnType<typeof prepare> | undefined;
  return async ({ headers }, reply) => {
    prepared ??= prepare();
    const { plain, packed, entityTag } = await prepared;
    reply.headers({ etag: entityTag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
    if (isNamed(headers['if-none-match'], entityTag)) return reply.status(304).send();
    reply.header('content-type', 'application/json; charset=utf-8');
    if (!takesGzip(headers['accept-encoding'])) return reply.send(plain);
    return reply.header('content-encoding', 'gzip').send(packed);
  };
}
