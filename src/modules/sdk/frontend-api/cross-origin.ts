import type { FastifyInstance, FastifyReply } from 'fastify';
import { unknownPath } from '../../../platform/errors.ts';
import { shownPath } from '../../../platform/http/shown-path.ts';
import { addVary } from '../../../platform/http/vary.ts';
import type { Services } from '../../../platform/module.ts';
import { staleHeader } from '../snapshot/index.ts';

/** Chromium's maximum. Each actual response still states who may read it. */
const preflightSeconds = 7_200;

function allow(reply: FastifyReply, origin: string, origins: readonly string[]): void {
  const everybody = origins.includes('*');
  if (!everybody && !origins.includes(origin)) return;
  reply
    .header('access-control-allow-origin', everybody ? '*' : origin)
    .header('access-control-expose-headers', `ETag, ${staleHeader}`);
}

/**
 * Lets pages of the allowed origins read responses. Errors carry the headers too: without them a page cannot read why
 * it was refused.
 */
export function allowOrigins(
  inside: FastifyInstance,
  services: Pick<Services, 'findFrontendOrigins'>,
): void {
  inside.addHook('onSend', (request, reply, payload, done) => {
    reply.header('cross-origin-resource-policy', 'cross-origin');
    addVary(reply, 'Origin');
    const { origin } = request.headers;
    const origins = origin === undefined ? [] : services.findFrontendOrigins();
    if (!(origins instanceof Promise)) {
      allow(reply, origin ?? '', origins);
      done(null, payload);
      return;
    }
    origins.then((found) => {
      allow(reply, origin ?? '', found);
      done(null, payload);
    }, done);
  });
}

/**
 * Registers routes that pages of the allowed origins may call from a browser, and answers the preflight requests of all
 * paths below.
 */
export function crossOrigin(
  app: FastifyInstance,
  services: Pick<Services, 'findFrontendOrigins'>,
  prefix: string,
  routes: (inside: FastifyInstance) => void,
): void {
  app.register(async (inside) => {
    allowOrigins(inside, services);
    for (const path of [prefix, `${prefix}/*`]) {
      inside.options(path, async (request, reply) => {
        const wanted = request.headers['access-control-request-headers'];
        if (wanted) reply.header('access-control-allow-headers', wanted);
        return reply
          .status(204)
          .header('vary', 'Origin, Access-Control-Request-Headers')
          .header('access-control-allow-methods', 'GET, HEAD, POST')
          .header('access-control-max-age', preflightSeconds)
          .send();
      });
    }
    routes(inside);
    inside.register(
      async (below) => {
        below.setNotFoundHandler((request) => {
          throw unknownPath(request.method, shownPath(request));
        });
      },
      { prefix },
    );
  });
}
