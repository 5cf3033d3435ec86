import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contentTypeError } from '../errors.ts';
import { parseJson } from './json-body.ts';
import { type LargeBodies, usualBytes } from './large-bodies.ts';

const json = /^application\/json\s*(;.*)?$/i;
const patch = /^application\/json-patch\+json\s*(;.*)?$/i;

/**
 * JSON is the only body there is. An empty one is no body (clients send DELETE with a JSON content
 * type and nothing else), and whatever else has content is a 415, after authentication.
 */
export function registerContentTypes(app: FastifyInstance, largeBodies: LargeBodies): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('largeBody', null);
  app.decorateRequest('isExamined', false);
  const parse = (request: FastifyRequest, bytes: Buffer): unknown => {
    if (bytes.length === 0) return undefined;
    if (bytes.length > usualBytes) return largeBodies.parse(request, bytes);
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
    // Judged by its first byte: nobody waits for the end of a body that is refused anyway.
    const accept = () => done(null, undefined);
    payload.once('end', accept);
    payload.once('error', done);
    payload.once('data', () => {
      payload.off('end', accept);
      done(contentTypeError(request.headers['content-type']));
    });
  });
}
