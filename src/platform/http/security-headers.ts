import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * What @fastify/helmet sends for answers that are no pages; whoever knows better sends its own. Written out,
 * because to make them anew for each request was a tenth of what a 304 takes.
 */
const headers = {
  // Answers to people hold new tokens, links and names. What may be kept says so itself.
  'cache-control': 'no-store',
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
const enough = ['content-security-policy', 'strict-transport-security', 'x-content-type-options'];
const forAll = Object.entries(headers);
const forPrograms = forAll.filter(([name]) => enough.includes(name));

const isForPrograms = ({ routeOptions }: FastifyRequest) =>
  routeOptions.config.endpoint?.audience !== undefined;

/** For an answer that goes past the hooks, too. */
export function addHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  // "You have it already" has nothing in it that a browser could misread.
  if (reply.statusCode === 304) return;
  for (const [name, value] of isForPrograms(request) ? forPrograms : forAll) {
    if (!reply.hasHeader(name)) reply.header(name, value);
  }
}

/** And the id by which the log knows the request. */
export function registerHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    addHeaders(request, reply);
    done();
  });
}
