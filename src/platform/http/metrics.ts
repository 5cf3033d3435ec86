import type { FastifyInstance, FastifyReply } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

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
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  countStreams(app, registry);
  // To find the series by its labels costs more than to observe: they are as few as routes and statuses.
  const series = new Map<string, ReturnType<typeof durations.labels>>();
  app.addHook('onResponse', (request, reply, done) => {
    if (isEndless(reply)) {
      done();
      return;
    }
    const { method, routeOptions } = request;
    const { url = 'unknown' } = routeOptions;
    const key = `${method} ${reply.statusCode} ${url}`;
    const known = series.get(key) ?? durations.labels(method, url, String(reply.statusCode));
    series.set(key, known);
    known.observe(reply.elapsedTime / 1000);
    done();
  });
  app.get('/internal-backstage/prometheus', { logLevel: 'warn' }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}
