import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The headers that OWASP recommends for APIs; a route may override them. */
const forData = {
  // Responses to users contain new tokens, links and names. Cacheable responses override this.
  'cache-control': 'no-store',
  // For browsers that show JSON as a page.
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  // Only this host: other hosts of the domain may not support TLS.
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
} as const;

/** The headers that @fastify/helmet sends. Those added here mean nothing for data and files, of which a page loads 40. */
const forDocuments = {
  ...forData,
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
} as const;

type Name = keyof typeof forDocuments;

const only = (...names: readonly Name[]) =>
  names.map((name): [Name, string] => [name, forDocuments[name]]);

const headers = {
  document: Object.entries(forDocuments),
  data: Object.entries(forData),
  file: only('cross-origin-resource-policy', 'x-content-type-options'),
  /** Responses to SDKs, which no browser shows as a page. */
  program: only('content-security-policy', 'strict-transport-security', 'x-content-type-options'),
};

function kindOf({ routeOptions }: FastifyRequest, reply: FastifyReply): keyof typeof headers {
  const { isFile, endpoint } = routeOptions.config;
  if (endpoint?.audience !== undefined) return 'program';
  if (isFile && reply.statusCode === 200) return 'file';
  const type = String(reply.getHeader('content-type'));
  return type.startsWith('text/html') ? 'document' : 'data';
}

/** Also called for responses that bypass the hooks. */
export function addHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  // A 304 has no content that a browser could misinterpret.
  if (reply.statusCode === 304) return;
  for (const [name, value] of headers[kindOf(request, reply)]) {
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
