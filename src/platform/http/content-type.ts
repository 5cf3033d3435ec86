import type { FastifyInstance } from 'fastify';
import { badData, contentTypeError } from '../errors.ts';

const json = /^application\/(json|json-patch\+json)\s*(;.*)?$/i;

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
  app.addContentTypeParser('*', (request, payload, done) => {
    const { 'content-type': contentType, 'content-length': length } = request.headers;
    let bytes = 0;
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    payload.on('error', done);
    payload.on('end', () => {
      if (bytes === 0 && (length === undefined || length === '0')) done(null, undefined);
      else done(contentTypeError(contentType));
    });
  });
  app.addHook('preValidation', async (request) => {
    const endpoint = request.routeOptions.config.endpoint;
    const patch = /json-patch/i.test(request.headers['content-type'] ?? '');
    if (patch && request.body !== undefined && endpoint?.method !== 'PATCH') {
      throw contentTypeError(request.headers['content-type']);
    }
  });
}

export const unparseable = (reason: string) =>
  badData([{ path: '/body', message: `/body is not JSON: ${reason}` }]);
