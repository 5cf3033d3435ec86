import { randomUUID } from 'node:crypto';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from '../log.ts';
import { registerAccessLog } from './access-log.ts';
import { type ArrivalLimits, nodeOptions, registerArrival } from './arrival.ts';
import { type Gate, registerGate, unauthenticated } from './authenticate.ts';
import { registerCompression } from './compression.ts';
import { registerContentTypes } from './content-type.ts';
import { answerClientError, registerErrorHandler, sendError } from './error-handler.ts';
import { closeIdleConnections, createHttpServer } from './http-server.ts';
import { type LargeBodies, usualBytes } from './large-bodies.ts';
import { registerHeaders } from './security-headers.ts';

interface HttpAppOptions {
  readonly config: { readonly trustedProxies: readonly string[]; readonly maxConnections: number };
  /** The path under which a proxy serves it, or an empty string. */
  readonly basePath: string;
  /** Paths under which the routes of other paths are served as well. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly gate: Gate;
  readonly limits: ArrivalLimits;
  readonly largeBodies: LargeBodies;
  readonly log: Logger;
  readonly stopping: AbortSignal;
  /** Throws the refusal of an address, before anything else is looked at. */
  readonly refuseAddress?: (request: FastifyRequest) => void;
}

/** How long a stop waits for requests in progress. */
export const openRequestsMs = 10_000;

const requestIdPattern = /^[\w.-]{1,64}$/;

const buildSerializer = SerializerSelector();

/** Serialisers by response schema, shared by endpoints with the same schema and by servers in one process. */
const serialisers = new WeakMap<object, ReturnType<ReturnType<typeof buildSerializer>>>();

/** Builds each serialiser on its first response. Building all of them took 140 ms of every start. */
const buildLazily: typeof buildSerializer = (externalSchemas, options) => {
  const make = buildSerializer(externalSchemas, options);
  return (route) => {
    const { schema } = route as { schema: object };
    let serialise: ReturnType<typeof make> | undefined;
    return (document) => {
      if (!serialise) {
        serialise = serialisers.get(schema) ?? make(route);
        serialisers.set(schema, serialise);
      }
      return serialise(document);
    };
  };
};

/** Creates a Fastify application with the hooks that all requests pass, and without routes. */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { config, basePath, gate, limits, largeBodies, log, stopping, refuseAddress } = options;
  const { aliases = {} } = options;
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: usualBytes,
    http: nodeOptions,
    serverFactory: createHttpServer,
    // The limit for the whole request. Node limits the head to 60 s, and bodies have their own limits.
    requestTimeout: limits.largeBodyMs,
    return503OnClosing: false,
    // Fastify also applies this limit to a stop, which may take as long as SHUTDOWN_DELAY_SECONDS and open requests.
    pluginTimeout: 0,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    ...servedUnder(basePath, aliases),
    routerOptions: {
      maxParamLength: 1000,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
    },
    genReqId: ({ headers }) => {
      const sent = headers['x-request-id'];
      return typeof sent === 'string' && requestIdPattern.test(sent) ? sent : randomUUID();
    },
    frameworkErrors: (error, request, reply) => {
      // A malformed path below /api/ is authenticated first: 401 takes precedence over 400.
      Promise.resolve()
        .then(() => refuseAddress?.(request))
        .then(() => (request.url.startsWith('/api/') ? gate.authenticate(request) : true))
        .then(async (actor): Promise<unknown> => (actor ? error : unauthenticated(gate, request)))
        .catch((failure: unknown) => failure)
        .then((outcome) => sendError(outcome, request, reply as never));
    },
    clientErrorHandler: answerClientError as never,
    // All requests share one logger, because log lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    schemaController: { compilersFactory: { buildSerializer: buildLazily } },
  });
  limitConnections(app, config.maxConnections, log);
  app.setValidatorCompiler(() => () => true); // route() validates, and finds all faults at once
  registerErrorHandler(app);
  registerContentTypes(app, largeBodies);
  registerHeaders(app);
  registerCompression(app);
  if (refuseAddress) {
    app.addHook('onRequest', (request, _reply, done) => {
      refuseAddress(request);
      done();
    });
  }
  registerArrival(app, { stopping, limits, largeBodies });
  if (log.isLevelEnabled('info')) registerAccessLog(app);
  registerGate(app, gate);
  return app;
}

/** Closes connections after `beforeStop`, when the application closes: idle ones at once, all of them in the end. */
export function closeConnectionsAtStop(
  app: FastifyInstance,
  beforeStop: () => Promise<void>,
): void {
  let closeIdle: NodeJS.Timeout | undefined;
  let closeAll: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    await beforeStop();
    // A connection becomes idle only after its last request, which may still be running when the stop begins.
    closeIdle = setInterval(() => closeIdleConnections(app.server), 50);
    // A client that stops reading its export would otherwise block the stop for ever.
    closeAll = setTimeout(() => app.server.closeAllConnections(), openRequestsMs);
  });
  app.addHook('onClose', async () => {
    clearInterval(closeIdle);
    clearTimeout(closeAll);
  });
}

/** The part of a URL below a path, or undefined. */
function below(path: string, url: string): string | undefined {
  if (!url.startsWith(path)) return undefined;
  const rest = url.slice(path.length);
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? rest : undefined;
}

/**
 * If BASE_URL has a path, requests are accepted with and without it, because some proxies strip it. No route of ours
 * begins with the same path twice.
 */
function servedUnder(path: string, aliases: Readonly<Record<string, string>>) {
  const renamed = Object.entries(aliases);
  if (path === '' && renamed.length === 0) return {};
  return {
    rewriteUrl: ({ url = '/' }: { url?: string | undefined }) => {
      const rest = path === '' ? undefined : below(path, url);
      const own = rest === undefined ? url : `${rest.startsWith('/') ? '' : '/'}${rest}`;
      for (const [alias, target] of renamed) {
        const found = below(alias, own);
        if (found !== undefined) return `${target}${found}`;
      }
      return own;
    },
  };
}

/** How often refused connections are logged. */
const complainMs = 60_000;

/** Refuses connections above the limit. Running out of file descriptors would break other parts of the server. */
function limitConnections({ server }: FastifyInstance, most: number, log: Logger): void {
  server.maxConnections = most;
  let saidAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    const now = performance.now();
    if (now - saidAt < complainMs) return;
    saidAt = now;
    log.warn({ maxConnections: most }, 'refusing connections: MAX_CONNECTIONS reached');
  });
}
