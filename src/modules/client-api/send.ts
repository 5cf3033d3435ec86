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
export function sendAnswer(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  isKnown?: boolean,
): undefined | Promise<undefined> {
  const entityTag = entityTagOf(answer.name);
  reply.headers(always).header('etag', entityTag);
  if (isKnown || hasIt(headers['if-none-match'], answer, entityTag)) {
    reply.status(304).send();
    return undefined;
  }
  reply.header('content-type', 'application/json; charset=utf-8');
  const packed = takesGzip(headers['accept-encoding']) ? answer.gzipped() : undefined;
  const send = (ready: Buffer) => {
    reply.header('content-encoding', 'gzip').send(ready);
    return undefined;
  };
  if (packed) return packed instanceof Promise ? packed.then(send) : send(packed);
  reply.send(answer.plain());
  return undefined;
}
