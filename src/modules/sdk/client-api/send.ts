import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { andThen } from '../../../platform/and-then.ts';
import { takesGzip } from '../../../platform/http/accept-encoding.ts';
import { isNamed } from '../../../platform/http/entity-tag.ts';
import { inBlocks } from '../../../platform/http/long-json.ts';
import { staleHeader } from '../snapshot/index.ts';
import type { Answer } from './answers.ts';

const always = {
  'cache-control': 'private, no-cache',
  vary: 'Accept-Encoding, Unleash-Client-Spec',
};

const alwaysInPairs = Object.entries(always).flat();

/** Past the hooks, which have nothing to add: what SDKs are answered nearly every time takes a tenth less so. */
function sendKnown({ id }: FastifyRequest, reply: FastifyReply, entityTag: string): FastifyReply {
  const stale = reply.getHeader(staleHeader);
  const { raw } = reply.hijack();
  const own = ['etag', entityTag, 'x-request-id', id];
  if (stale !== undefined) own.push(staleHeader, String(stale));
  raw.writeHead(304, [...alwaysInPairs, ...own]);
  raw.end();
  return reply;
}

/** An answer that is ready; 304 without it, to who has it already. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  isKnown?: boolean,
): FastifyReply | Promise<FastifyReply> {
  const { headers } = request;
  const { entityTag } = answer;
  if (isKnown || isNamed(headers['if-none-match'], entityTag)) {
    return sendKnown(request, reply, entityTag);
  }
  reply
    .headers(always)
    .header('etag', entityTag)
    .header('content-type', 'application/json; charset=utf-8');
  const isPacked = takesGzip(headers['accept-encoding']);
  return andThen(isPacked ? answer.gzipped() : undefined, (packed) =>
    packed
      ? reply.header('content-encoding', 'gzip').send(packed)
      : andThen(answer.plain(), (plain) =>
          plain ? reply.send(plain) : sendPieces(reply, answer.pieces(), isPacked),
        ),
  );
}

/** What nobody should hold as a whole goes out as it is made, as fast as it is read. */
export function sendPieces(
  reply: FastifyReply,
  pieces: Iterable<string>,
  isPacked: boolean,
): FastifyReply {
  const plain = Readable.from(inBlocks(pieces), { objectMode: false });
  if (!isPacked) return reply.send(plain);
  const packing = createGzip({ level: 1 });
  // The reply hears of it by the end of what it reads.
  pipeline(plain, packing, () => undefined);
  return reply.header('content-encoding', 'gzip').send(packing);
}
