import type { FastifyInstance } from 'fastify';
import { badData, contentTypeError } from '../errors.ts';

const json = /^application\/json\s*(;.*)?$/i;
const patch = /^application\/json-patch\+json\s*(;.*)?$/i;

/**
 * JSON is the only body there is. An empty one is no body (clients send DELETE with a JSON content
 * type and nothing else), and whatever else has content is a 415, after authentication.
 */
export function registerContentTypes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(json, { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
  app.addContentTypeParser(patch, { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else if (request.method !== 'PATCH') done(contentTypeError(request.headers['content-type']));
    else parse(request, body as string, done);
  });
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

export const unparseable = () => badData([{ path: '/body', message: '/body is not JSON' }]);
