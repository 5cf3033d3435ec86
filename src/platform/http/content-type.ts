import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contentTypeError } from '../errors.ts';
import { createKeyedSemaphore, createSemaphore } from '../semaphore.ts';
import { holdsMore, parseJson, refuseExpensiveJson } from './json-body.ts';
import { accountOf, type LargeBodies, smallBytes, usualBytes } from './large-bodies.ts';

const json = /^application\/json\s*(;.*)?$/i;
const patch = /^application\/json-patch\+json\s*(;.*)?$/i;

/** More than 1 MiB of typical JSON contains. */
const maxValues = 300_000;
/** With more values, parsing could take 300 ms: 1 MiB of objects with 20 new keys each. These take 70 ms at worst. */
const maxValuesHere = 30_000;

/**
 * Parses one body at a time, and then leaves other requests as much time as parsing and validating it took. A request
 * takes several turns of the event loop, so that one body in each of them would delay it by a second.
 */
function createParsing(largeBodies: LargeBodies) {
  const turns = createSemaphore(1);
  // Of each account one body waits for its turn, so that no one waits for several bodies of another account.
  const turnsOf = createKeyedSemaphore<number | string>(1);

  function parse(request: FastifyRequest, bytes: Buffer): unknown {
    const text = bytes.toString('utf8');
    refuseExpensiveJson(text, maxValues);
    return holdsMore(text, maxValuesHere) ? largeBodies.parse(request, bytes) : parseJson(text);
  }

  return async (request: FastifyRequest, bytes: Buffer): Promise<unknown> => {
    const releaseOwn = await turnsOf.acquire(accountOf(request));
    const release = await turns.acquire();
    const began = performance.now();
    const end = () => {
      release();
      releaseOwn();
    };
    // Validation follows in the same turn.
    setImmediate(() => setTimeout(end, performance.now() - began));
    return parse(request, bytes);
  };
}

/**
 * Accepts only JSON bodies. An empty body counts as none, because clients send DELETE with a JSON content type and no
 * content. Any other content is a 415, after authentication.
 */
export function registerContentTypes(app: FastifyInstance, largeBodies: LargeBodies): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('largeBody', null);
  app.decorateRequest('isExamined', false);
  app.decorateRequest('parsed', undefined);
  const parseInTurn = createParsing(largeBodies);
  const parse = async (request: FastifyRequest, bytes: Buffer): Promise<unknown> => {
    if (bytes.length === 0) return undefined;
    await request.awaitTurn?.();
    if (bytes.length > usualBytes) return largeBodies.parse(request, bytes);
    if (bytes.length > smallBytes) return parseInTurn(request, bytes);
    return parseJson(bytes.toString('utf8'));
  };
  app.addContentTypeParser(
    json,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => parse(request, body),
  );
  app.addContentTypeParser(
    patch,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length > 0 && request.method !== 'PATCH') {
        throw contentTypeError(request.headers['content-type']);
      }
      return parse(request, body);
    },
  );
  app.addContentTypeParser('*', (request, payload, done) => {
    // Decided at the first byte, without waiting for the end of a body that is refused anyway.
    const accept = () => done(null, undefined);
    payload.once('end', accept);
    payload.once('error', done);
    payload.once('data', () => {
      payload.off('end', accept);
      done(contentTypeError(request.headers['content-type']));
    });
  });
}
