import { isIPv4 } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import type { Actor } from '../actor.ts';
import { authenticationRequired, noAccess } from '../errors.ts';
import type { Gate } from './authenticate.ts';

const eventStream = 'text/event-stream';

/** Returns whether a response is a stream. It ends when its reader disconnects, so its duration is meaningless. */
const isEndless = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type') ?? '').startsWith(eventStream);

/** Upper bounds in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

type Observe = (seconds: number) => void;

/**
 * Counts responses by route and status, and measures the duration of those that are not errors. The histogram has no
 * status label: each takes 15 lines, and one for every status of every route made 1.76 MB, and blocked all requests for
 * 0.1 s each minute.
 */
function createAnswerMetrics(registry: Registry) {
  const answers = new Counter({
    name: 'http_requests_total',
    help: 'Responses, by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of a response that is not an error',
    labelNames: ['method', 'route'],
    buckets,
    registers: [registry],
  });
  return (method: string, route: string, status: number): Observe => {
    const counter = answers.labels({ method, route, status });
    if (status >= 400) return () => counter.inc();
    const histogram = durations.labels({ method, route });
    return (seconds) => {
      counter.inc();
      histogram.observe(seconds);
    };
  };
}

/** Counts the open responses that may be streams. */
function countStreams(app: FastifyInstance, registry: Registry): void {
  const open = new Gauge({
    name: 'http_open_streams',
    help: 'Requests in progress to endpoints that offer server-sent events',
    registers: [registry],
  });
  const ended = () => open.dec();
  app.addHook('onRoute', (route) => {
    if (!route.config?.endpoint?.alsoProduces?.[eventStream]) return;
    route.preHandler = (_request, reply, done) => {
      open.inc();
      reply.raw.once('close', ended);
      done();
    };
  });
}

/** Headers that proxies add. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-scheme',
  'x-forwarded-server',
  'x-original-forwarded-for',
  'x-envoy-external-address',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
];

const isLoopback = (address: string): boolean => {
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
};

/**
 * Returns whether a Host header names this machine itself. A page of another site can make a browser on this machine
 * send requests here under a name of its own, which it lets point to 127.0.0.1, and then read the responses.
 */
function isLoopbackHost(host: string | undefined): boolean {
  const address = `http://${host}`;
  if (host === undefined || !URL.canParse(address)) return false;
  const name = new URL(address).hostname;
  return name === 'localhost' || isLoopback(name.replace(/^\[|\]$/g, ''));
}

/** Returns whether the caller is a program on this machine, and neither a proxy for another one nor a foreign page. */
const isLocal = ({ socket, headers }: FastifyRequest): boolean =>
  isLoopback(socket.remoteAddress ?? '') &&
  isLoopbackHost(headers.host) &&
  forwarding.every((name) => headers[name] === undefined);

/** Frontend tokens are public in every browser, so they give no access to metrics. */
const isTrusted = ({ tokenScope }: Actor): boolean => tokenScope?.audience !== 'frontend';

interface MetricsOptions {
  readonly gate: Pick<Gate, 'authenticate'>;
  /** Whether the metrics are readable without authentication. */
  readonly isPublic: boolean;
  /** The metrics of the modules. */
  readonly registry: Registry;
  /** Returns the metrics of all processes that share the port; without it, those of this one. */
  readonly ofAll?: (() => Promise<string>) | undefined;
}

let ofThisProcess: Registry | undefined;

/**
 * Returns the metrics of the process (memory, CPU, event loop), shared by all servers in it. prom-client observes the
 * garbage collector for each registry for ever, and so leaked 5 MB for every closed server.
 */
function processMetrics(): Registry {
  if (!ofThisProcess) {
    ofThisProcess = new Registry();
    collectDefaultMetrics({ register: ofThisProcess });
  }
  return ofThisProcess;
}

/**
 * Returns a function that throws unless the caller is on this machine or has the token of a backend or of an admin, and
 * returns whose token it is.
 */
export const createRefuseStrangers =
  ({ gate, isPublic }: Pick<MetricsOptions, 'gate' | 'isPublic'>) =>
  async (request: FastifyRequest): Promise<Actor | undefined> => {
    if (isPublic || isLocal(request)) return undefined;
    const actor = await gate.authenticate(request);
    if (!actor) throw authenticationRequired();
    if (!isTrusted(actor)) throw noAccess(['ADMIN', 'CLIENT']);
    return actor;
  };

/** Serves Prometheus metrics of modules, of the process, and of every route by method, pattern and status. */
export function registerMetrics(
  app: FastifyInstance,
  { gate, isPublic, registry, ofAll }: MetricsOptions,
): void {
  countStreams(app, registry);
  const answerMetric = createAnswerMetrics(registry);
  /** Cached by route and status, with the method if it differs: the route of GET also answers HEAD. */
  const observers = new WeakMap<object, Map<number | string, Observe>>();
  app.addHook('onResponse', (request, reply, done) => {
    const config = request.routeConfig ?? request.routeOptions.config;
    if (config.endpoint?.alsoProduces && isEndless(reply)) {
      done();
      return;
    }
    let ofRoute = observers.get(config);
    if (!ofRoute) {
      ofRoute = new Map();
      observers.set(config, ofRoute);
    }
    const { method } = request;
    const { statusCode: status } = reply;
    const key = method === config.endpoint?.method ? status : `${method}${status}`;
    let observe = ofRoute.get(key);
    if (!observe) {
      observe = answerMetric(method, request.routeOptions.url ?? 'unknown', status);
      ofRoute.set(key, observe);
    }
    observe(reply.elapsedTime / 1000);
    done();
  });

  const refuseStrangers = createRefuseStrangers({ gate, isPublic });
  const ofProcess = processMetrics();
  // Another process collects them from here.
  if (ofAll) {
    // Its constructor begins to listen.
    new AggregatorRegistry();
    AggregatorRegistry.setRegistries([ofProcess, registry]);
  }
  const write = async () => {
    if (ofAll) return ofAll();
    const metrics = await Promise.all([ofProcess.metrics(), registry.metrics()]);
    return metrics.join('\n');
  };
  let written: { readonly text: Promise<string>; readonly until: number } | undefined;

  app.get('/internal-backstage/prometheus', async (request, reply) => {
    await refuseStrangers(request);
    const now = performance.now();
    if (!written || written.until <= now) written = { text: write(), until: now + reusedMs };
    return reply.type(registry.contentType).send(await written.text);
  });
}

/** A scrape within this time receives the text of the previous one. */
const reusedMs = 1000;
