import type { FastifyInstance, FastifyReply } from 'fastify';
import { basePathOf } from '../../../../platform/http/base-path.ts';
import type { Services } from '../../../../platform/module.ts';
import { type PageName, pageHtml } from './html.ts';
import { logo } from './logo.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** Only our own files, and no framing by other sites. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const guarded = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    // The addresses of some pages contain the secret of a link.
    .header('referrer-policy', 'no-referrer');

const files = [
  ['page.css', 'text/css', style],
  ['page.js', 'text/javascript', script],
  ['burgee.svg', 'image/svg+xml', logo],
] as const;

/** Pages are not part of the API. */
export function pageRoutes(app: FastifyInstance, { settings }: Services): void {
  const send = (reply: FastifyReply, name: PageName) =>
    guarded(reply)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(pageHtml(name, basePathOf(settings.baseUrl)));

  for (const name of ['login', 'forgotten-password', 'reset-password', 'account'] as const) {
    app.get(`/${name}`, (_request, reply) => send(reply, name));
  }

  app.get('/new-user', (request, reply) =>
    send(reply, 'invite' in (request.query as object) ? 'sign-up' : 'invitation'),
  );

  for (const [name, type, text] of files) {
    app.get(`/sign-in/${name}`, (_request, reply) =>
      guarded(reply).header('cache-control', 'no-cache').type(`${type}; charset=utf-8`).send(text),
    );
  }
}
