import type { FastifyInstance, FastifyReply } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createDurations, observe, type Series } from './durations.ts';

const eventStream = 'text/event-stream';

/** An answer that ends when its reader has enough, after hours, says nothing of how long answers take. */
const isEndless = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type') ?? '').startsWith(eventStream);

/** How many answers there are now that may be endless. */
function countStreams(app: FastifyInstance, registry: Registry): void {
  const open = new Gauge({
    name: 'http_open_streams',
    help: 'Requests under way to what can be followed as server-sent events',
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

/** Prometheus figures: the process, and every route by method, pattern and status. */
export function registerMetrics(app: FastifyInstance): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  countStreams(app, registry);
  const durations = createDurations();
  /** By route, and by what else there is: HEAD is answered by the route of GET. */
  const known = new WeakMap<object, Map<number | string, Series>>();
  app.addHook('onResponse', (request, reply, done) => {
    const config = request.routeConfig ?? request.routeOptions.config;
    if (config.endpoint?.alsoProduces && isEndless(reply)) {
      done();
      return;
    }
    let ofRoute = known.get(config);
    if (!ofRoute) {
      ofRoute = new Map();
      known.set(config, ofRoute);
    }
    const { method } = request;
    const { statusCode: status } = reply;
    const key = method === config.endpoint?.method ? status : `${method}${status}`;
    let series = ofRoute.get(key);
    if (!series) {
      const { url: route = 'unknown' } = request.routeOptions;
      series = durations.add({ method, route, status });
      ofRoute.set(key, series);
    }
    observe(series, reply.elapsedTime / 1000);
    done();
  });
  app.get('/internal-backstage/prometheus', { logLevel: 'warn' }, async (_request, reply) =>
    reply
      .type(registry.contentType)
      .send(`${(await registry.metrics()).trimEnd()}\n\n${durations.text()}`),
  );
}
