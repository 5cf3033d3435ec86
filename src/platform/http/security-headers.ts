import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The headers that @fastify/helmet sends for API responses; a route may override them. */
const headers = {
  // Responses to users contain new tokens, links and names. Cacheable responses override this.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  // Only this host: other hosts of the domain may not support TLS.
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
} as const;

/** The headers of SDK responses, which no browser renders as a page. */
const enough = ['content-security-policy', 'strict-transport-security', 'x-content-type-options'];
const forAll = Object.entries(headers);
const forPrograms = forAll.filter(([name]) => enough.includes(name));

const isForPrograms = ({ routeOptions }: FastifyRequest) =>
  routeOptions.config.endpoint?.audience !== undefined;

/** Also called for responses that bypass the hooks. */
export function addHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  // A 304 has no content that a browser could misinterpret.
  if (reply.statusCode === 304) return;
  for (const [name, value] of isForPrograms(request) ? forPrograms : forAll) {
    if (!reply.hasHeader(name)) reply.header(name, value);
  }
}

/** Adds these headers and the request id of the log. */
export function registerHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    addHeaders(request, reply);
    done();
  });
}
