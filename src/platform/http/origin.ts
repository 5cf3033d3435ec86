import type { FastifyRequest } from 'fastify';
import { invalidOperation } from '../errors.ts';

/**
 * Refuses a request that a page of another site made a browser send. Every browser names the origin
 * of a request that changes something, and the site it came from; what is no browser names neither.
 */
export function refuseForeignOrigin(request: FastifyRequest, baseUrl: string): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const own = [`${request.protocol}://${request.host}`, new URL(baseUrl).origin];
  // A page that sends no referrer has its forms say that they come from nowhere: then the site counts.
  const foreign =
    origin === undefined || (origin === 'null' && site === 'same-origin')
      ? site !== undefined && site !== 'same-origin' && site !== 'none'
      : !own.includes(origin);
  if (foreign) throw invalidOperation('This request was sent by a page of another site');
}
