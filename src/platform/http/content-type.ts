import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contentTypeError } from '../errors.ts';
import { parseJson, refuseExpensiveJson } from './json-body.ts';
import { type LargeBodies, usualBytes } from './large-bodies.ts';

const json = /^application\/json\s*(;.*)?$/i;
const patch = /^application\/json-patch\+json\s*(;.*)?$/i;

/** A smaller body is parsed in a few milliseconds, whatever it contains. */
const suspectBytes = 64 * 1024;
/** More than 1 MiB of typical JSON contains. Parsing this many takes 60 ms. */
const maxValues = 300_000;

/**
 * Accepts only JSON bodies. An empty body counts as none, because clients send DELETE with a JSON content type and no
 * content. Any other content is a 415, after authentication.
 */
export function registerContentTypes(app: FastifyInstance, largeBodies: LargeBodies): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('largeBody', null);
  app.decorateRequest('isExamined', false);
  app.decorateRequest('parsed', undefined);
  const parse = (request: FastifyRequest, bytes: Buffer): unknown => {
    if (bytes.length === 0) return undefined;
    if (bytes.length > usualBytes) return largeBodies.parse(request, bytes);
    const text = bytes.toString('utf8');
    if (bytes.length > suspectBytes) refuseExpensiveJson(text, maxValues);
    return parseJson(text);
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
