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

/** Scheme, host (a name, an IPv4 address, or an IPv6 address in brackets) and optional port, without a path. */
const originPattern = /^[a-z][a-z0-9+.-]*:\/\/(?:\[[0-9a-f:.]+\]|[^\s/?#@\\:[\]*]+)(?::\d{1,5})?$/i;

export const isWeb = (origin: string) => /^https?:/i.test(origin);

/** Whether browsers of this origin, or of all for `*`, can be allowed to read. */
export const isOrigin = (text: string) =>
  text === '*' || (originPattern.test(text) && (!isWeb(text) || URL.canParse(text)));
