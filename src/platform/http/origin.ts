import type { FastifyRequest } from 'fastify';
import { invalidOperation } from '../errors.ts';

/**
 * Refuses a request that a page of another site made a browser send. Browsers send the Origin of every request that
 * changes something, and Sec-Fetch-Site; other clients send neither.
 */
export function refuseForeignOrigin(request: FastifyRequest, baseUrl: string): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const own = [`${request.protocol}://${request.host}`, new URL(baseUrl).origin];
  // Forms of a page without a referrer send the origin `null`: then the site decides.
  const foreign =
    origin === undefined || (origin === 'null' && site === 'same-origin')
      ? site !== undefined && site !== 'same-origin' && site !== 'none'
      : !own.includes(origin);
  if (foreign) throw invalidOperation('This request was sent by a page of another site');
}
