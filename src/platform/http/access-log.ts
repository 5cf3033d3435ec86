import type { FastifyInstance, FastifyRequest } from 'fastify';
import { withoutSecrets } from './shown-path.ts';

/** Longer than the names of most things; a parameter may have a thousand characters. */
const maxParameter = 100;
const maxSteps = 12;

interface ParamsSchema {
  readonly properties?: Readonly<Record<string, { readonly writeOnly?: boolean }>>;
}

/** The pattern of the route with its parameters, but for those that its contract calls write-only. */
function routePath({ routeOptions, params }: FastifyRequest, pattern: string): string {
  const { endpoint } = routeOptions.config;
  if (!endpoint) return pattern;
  const { properties = {} } = (endpoint.params ?? {}) as ParamsSchema;
  const values = params as Readonly<Record<string, string | undefined>>;
  return pattern.replace(/:(\w+)/g, (_, name: string) => {
    if (properties[name]?.writeOnly) return '*****';
    return encodeURIComponent(
      withoutSecrets(values[name] ?? '')
        .slice(0, maxParameter)
        .toWellFormed(),
    );
  });
}

/** The steps of a path that the router did not find, but for those that occur in no route. */
function unknownPathWith(words: ReadonlySet<string>, url: string): string {
  const [path = ''] = url.split('?', 1);
  const steps = path.split('/', maxSteps).filter((step) => step !== '');
  return `/${steps.map((step) => (words.has(step) ? step : '*')).join('/')}`;
}

/**
 * One line per request. The path is made of the route, never of the URL as it came: the router decodes
 * it and forgives doubled slashes, so that no expression finds all secrets in it. The query may hold
 * what somebody searched for, and is left out.
 */
export function registerAccessLog(app: FastifyInstance): void {
  const words = new Set<string>();
  app.addHook('onRoute', ({ url }) => {
    for (const step of url.split('/')) if (/^\w/.test(step)) words.add(step);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { logLevel, url: pattern } = request.routeOptions;
    if (logLevel !== 'warn') {
      request.log.info(
        {
          reqId: request.id,
          method: request.method,
          path:
            pattern === undefined || request.is404
              ? unknownPathWith(words, request.url)
              : routePath(request, pattern),
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...(request.errorId ? { errorId: request.errorId } : {}),
        },
        'answered',
      );
    }
    done();
  });
}
