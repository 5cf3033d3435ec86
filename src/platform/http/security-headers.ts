import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * What @fastify/helmet sends for answers that are no pages; a page replaces the policy by one of its own. Written out,
 * because to make them anew for each request was a tenth of what a 304 takes.
 */
const headers = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  // This host alone: whether its neighbours speak TLS is not ours to say.
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
} as const;

/** Of what programs read no browser makes a page: these are enough, and each costs a microsecond. */
const forPrograms = {
  'content-security-policy': headers['content-security-policy'],
  'strict-transport-security': headers['strict-transport-security'],
  'x-content-type-options': headers['x-content-type-options'],
} as const;

const isForPrograms = ({ url = '' }: IncomingMessage) =>
  url.startsWith('/api/client/') || url.startsWith('/api/frontend') || url.startsWith('/ofrep/');

/** And the id by which the log knows the request. */
export function registerHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply
      .headers(isForPrograms(request.raw) ? forPrograms : headers)
      .header('x-request-id', request.id);
    done();
  });
}
