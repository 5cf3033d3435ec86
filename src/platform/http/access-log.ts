import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isProbe } from './probes.ts';
import { withoutSecrets } from './shown-path.ts';

/** Longer than most names; a parameter may have a thousand characters. */
const maxParameter = 100;
const maxSteps = 12;

interface ParamsSchema {
  readonly properties?: Readonly<Record<string, { readonly writeOnly?: boolean }>>;
}

/**
 * Returns the caller, by the id that events and lists use, and the address. Frontend SDKs run on devices of people who
 * have no relation to us, so their addresses are not logged.
 */
function callerOf({ actor, ip, routeOptions }: FastifyRequest) {
  const isOfUsers = routeOptions.config.endpoint?.audience?.includes('frontend') ?? false;
  return {
    ...(actor && { actor: actor.id }),
    ...(!isOfUsers && { ip }),
  };
}

/** Assets of a page, which are requested by the dozen. */
const isQuiet = ({ routeOptions }: FastifyRequest) => routeOptions.logLevel === 'warn';

/** Returns the route's pattern with its parameters filled in, except those that its contract marks write-only. */
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

/** Returns the path of an unknown route. Only steps that occur in some route are shown. */
function unknownPathWith(words: ReadonlySet<string>, url: string): string {
  const [path = ''] = url.split('?', 1);
  const steps = path.split('/', maxSteps).filter((step) => step !== '');
  return `/${steps.map((step) => (words.has(step) ? step : '*')).join('/')}`;
}

/**
 * Logs one line per request. The path is built from the route, never from the raw URL: the router decodes it and
 * ignores doubled slashes, so no pattern would find all secrets in it. The query is left out, because it may contain
 * search terms.
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
      request.log.info(described(request, reply), 'client disconnected');
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (isQuiet(request)) {
      done();
      return;
    }
    // Successful probes are not logged, because they would hide other lines.
    const isQuietProbe = isProbe(request) && reply.statusCode === 200;
    request.log[isQuietProbe ? 'debug' : 'info'](described(request, reply), 'request completed');
    done();
  });
}
