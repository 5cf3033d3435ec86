import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withoutSecrets } from './shown-path.ts';

/** Longer than the names of most things; a parameter may have a thousand characters. */
const maxParameter = 100;
const maxSteps = 12;

interface ParamsSchema {
  readonly properties?: Readonly<Record<string, { readonly writeOnly?: boolean }>>;
}

const probes: ReadonlySet<string> = new Set([
  '/health',
  '/ready',
  '/internal-backstage/prometheus',
]);

/**
 * Who asked, by the number under which events and lists know them, and from where. Programs in the hands of their
 * users come from addresses of people who have nothing to do with us: those are written nowhere.
 */
function callerOf({ actor, ip, routeOptions }: FastifyRequest) {
  const isOfUsers = routeOptions.config.endpoint?.audience?.includes('frontend') ?? false;
  return {
    ...(actor && { actor: actor.id }),
    ...(!isOfUsers && { ip }),
  };
}

/** Parts of a page, which come by the dozen. */
const isQuiet = ({ routeOptions }: FastifyRequest) => routeOptions.logLevel === 'warn';

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
  const described = (request: FastifyRequest, reply: FastifyReply) => ({
    reqId: request.id,
    method: request.method,
    path:
      request.routeOptions.url === undefined || request.is404
        ? unknownPathWith(words, request.url)
        : routePath(request, request.routeOptions.url),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...callerOf(request),
    ...(request.errorId ? { errorId: request.errorId } : {}),
  });

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    raw.once('close', () => {
      if (raw.writableFinished || raw.errored || isQuiet(request)) return;
      request.log.info(described(request, reply), 'left by the caller before the end');
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (isQuiet(request)) {
      done();
      return;
    }
    // Whoever watches asks every few seconds: a line for each answer that is good would drown the others.
    const isProbe = probes.has(request.routeOptions.url ?? '') && reply.statusCode === 200;
    request.log[isProbe ? 'debug' : 'info'](described(request, reply), 'answered');
    done();
  });
}
