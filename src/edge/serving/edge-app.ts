import type { FastifyInstance } from 'fastify';
import type { Counter, Gauge } from 'prom-client';
import { clientApiUseCase } from '../../modules/sdk/client-api/routes.ts';
import { createBufferedUsage } from '../../modules/sdk/client-metrics/report/buffered-usage.ts';
import { reportUseCase } from '../../modules/sdk/client-metrics/report/routes.ts';
import { reportEdgeUseCase } from '../../modules/sdk/edges/report-routes.ts';
import { createFindEvaluator } from '../../modules/sdk/frontend-api/index.ts';
import { frontendApiUseCase } from '../../modules/sdk/frontend-api/routes.ts';
import { ofrepUseCase } from '../../modules/sdk/ofrep/routes.ts';
import type { SdkServices } from '../../modules/sdk/services.ts';
import { systemClock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { arrivalLimits } from '../../platform/http/arrival.ts';
import type { ServedEndpoint } from '../../platform/http/checked.ts';
import { type CloseStreams, drain } from '../../platform/http/drain.ts';
import { examine } from '../../platform/http/examine.ts';
import { closeConnectionsAtStop, createHttpApp } from '../../platform/http/http-app.ts';
import { createLargeBodies } from '../../platform/http/large-bodies.ts';
import { createRefuseStrangers, registerMetrics } from '../../platform/http/metrics.ts';
import type { Logger } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import type { UseCase } from '../../platform/module.ts';
import { version } from '../../platform/version.ts';
import type { Feed, UsageState } from '../hub/feed.ts';
import type { EdgeSettings } from '../settings.ts';
import { createRefuseAddress } from './addresses.ts';
import { registerBackstage } from './backstage.ts';
import { createEdgeTokens } from './edge-tokens.ts';
import { createFedDefinitions } from './fed-definitions.ts';
import { createEdgeGate } from './gate.ts';
import { allFrontendUseCase, oneFrontendUseCase } from './more-frontend.ts';
import { createServedTokens } from './served-tokens.ts';

/** How often this process tells the hub what it did. */
const reportEveryMs = 15_000;
/** The hub sums and stores usage. What is on its way there is lost in a kill. */
const usageToHubMs = 1_000;
const retentionDays = 30;
/** As many as an upstream takes. */
const mostEdges = 200;

type EdgeReport = Parameters<SdkServices['edges']['report']>[0];

interface EdgeAppOptions {
  readonly settings: EdgeSettings;
  readonly instanceId: string;
  readonly feed: Feed;
  readonly log: Logger;
  /** Runs the drain when the edge closes, unless there is a hurry. */
  readonly drain?: (work: (hurry: AbortSignal) => Promise<void>) => Promise<void>;
  /** The metrics of all workers, if this is one of several. */
  readonly metrics?: () => Promise<string>;
}

/** Of several processes, the sum of these would be wrong. */
const sameInAll = [
  'burgee_edge_usage_dropped',
  'burgee_edge_usage_waiting',
  'burgee_build_info',
  'burgee_sdk_snapshot_age_seconds',
  'burgee_sdk_snapshot_stale',
];

/** Serves SDKs with what the hub tells: the endpoints of the server, without its database. */
export async function buildEdgeApp(options: EdgeAppOptions): Promise<FastifyInstance> {
  const { settings, instanceId, feed, log } = options;
  const started = new Date();
  const stopping = new AbortController();
  let isClosing = false;
  const closings: CloseStreams[] = [];
  const endings: (() => Promise<void>)[] = [];
  const metrics = createMetrics();
  const tokens = createServedTokens(feed);
  const definitions = createFedDefinitions();
  const gate = createEdgeGate(tokens);
  const usage = createBufferedUsage(
    {
      clock: systemClock,
      log,
      settings: { metricsRetentionDays: retentionDays },
      atEnd: (work) => void endings.push(work),
    },
    {
      store: feed.store,
      isRejected: () => false,
      storesBeforeAnswering: true,
      flushAfterMs: usageToHubMs,
      retryAfterMs: 5_000,
    },
  );
  /** What edges behind this one reported since the last report of this process. */
  const edges = new Map<string, EdgeReport>();
  const services: SdkServices = {
    clock: systemClock,
    log,
    metrics,
    stopping: stopping.signal,
    onDrain: (close) => void closings.push(close),
    definitions,
    findEvaluator: createFindEvaluator({ clock: systemClock, log }),
    findFrontendOrigins: () => settings.corsOrigins,
    sdkTokens: createEdgeTokens(tokens, settings),
    usage,
    edges: {
      report: (report) => {
        if (edges.size < mostEdges || edges.has(report.identifier))
          edges.set(report.identifier, report);
      },
      // They are part of the next report of this edge.
      flush: async () => undefined,
    },
  };
  // Bodies over 64 KiB are read one at a time. No endpoint of SDKs takes more than 1 MiB.
  const served = new Map<string, ServedEndpoint>();
  const largeBodies = createLargeBodies(async (request) => {
    const endpoint = served.get(request.endpointId);
    if (!endpoint) throw new Error(`there is no endpoint '${request.endpointId}'`);
    return examine(endpoint, request);
  });
  const refuseAddress = createRefuseAddress(settings);
  const app = createHttpApp({
    ...(refuseAddress && { refuseAddress }),
    config: settings,
    basePath: settings.basePath,
    aliases: { '/api/proxy': '/api/frontend' },
    gate,
    limits: arrivalLimits,
    largeBodies,
    log,
    stopping: stopping.signal,
  });
  const { registry } = metrics;
  registerMetrics(app, {
    gate,
    isPublic: settings.publicMetrics,
    registry,
    ofAll: options.metrics,
  });
  metrics.gauge(
    {
      name: 'burgee_build_info',
      help: 'Always 1; the labels are the versions that are running',
      labels: ['version', 'node'],
    },
    () => [{ labels: { version, node: process.version }, value: 1 }],
  );
  metrics.gauge(
    { name: 'burgee_usage_waiting', help: 'Counts that SDKs reported and that are not stored yet' },
    usage.waiting,
  );
  let sending: UsageState = { waiting: 0, dropped: 0 };
  metrics.gauge(
    { name: 'burgee_edge_usage_waiting', help: 'Counts that wait to be sent to the upstream' },
    () => sending.waiting,
  );
  metrics.gauge(
    {
      name: 'burgee_edge_usage_dropped',
      help: 'Counts since the start that were dropped: the upstream refused them, no backend token had access to them, or frontend tokens reported too much',
    },
    () => sending.dropped,
  );
  const useCases: readonly UseCase<Readonly<Record<string, ServedEndpoint>>, SdkServices>[] = [
    clientApiUseCase,
    frontendApiUseCase,
    ...(settings.servesAll ? [allFrontendUseCase] : []),
    oneFrontendUseCase,
    ofrepUseCase,
    reportUseCase,
    reportEdgeUseCase,
  ];
  for (const useCase of useCases) {
    for (const endpoint of Object.values(useCase.endpoints)) served.set(endpoint.id, endpoint);
    useCase.register(app, services);
  }
  for (const name of sameInAll)
    Object.assign(registry.getSingleMetric(name) ?? {}, { aggregator: 'max' });
  const streams = registry.getSingleMetric('burgee_sdk_streams') as Gauge;
  const countStreams = async () => (await streams.get()).values[0]?.value ?? 0;
  registerBackstage(app, {
    ...{ settings, instanceId, started, tokens, definitions, countStreams },
    isStopping: () => isClosing,
    refuseStrangers: createRefuseStrangers({ gate, isPublic: false }),
  });
  // A license is neither needed nor given out.
  app.post('/api/client/edge-licensing/heartbeat', () => {
    throw new AppError(404, 'NotFoundError', 'Burgee needs no license');
  });

  feed.follow({
    onSnapshot: definitions.publish,
    onTokens: tokens.take,
    onFreshness: definitions.takeFreshness,
    onUsage: (fresh) => {
      sending = fresh;
    },
  });
  const requests = registry.getSingleMetric('http_requests_total') as Counter;
  const report = createReport(requests, countStreams, edges);
  const reporting = setInterval(() => {
    report().then(feed.report, (error) =>
      log.warn({ err: error }, 'this process could not report its state'),
    );
  }, reportEveryMs).unref();

  closeConnectionsAtStop(app, async () => {
    isClosing = true;
    const { shutdownDelayMs: waitMs } = settings;
    if (waitMs > 0) {
      await options.drain?.((hurry) => {
        log.info({ seconds: waitMs / 1000 }, 'draining: no longer ready, still serving');
        return drain(closings, { waitMs, hurry });
      });
    }
    stopping.abort();
  });
  app.addHook('onClose', async () => {
    clearInterval(reporting);
    await Promise.all(endings.map((end) => end()));
  });
  await app.ready();
  return app;
}

/** What this process did since the last report. */
function createReport(
  requests: Counter,
  countStreams: () => Promise<number>,
  edges: Map<string, EdgeReport>,
) {
  const before = new Map<string, number>();
  return async () => {
    const counts: Record<string, Record<string, number>> = {};
    for (const { labels, value } of (await requests.get()).values) {
      const { route = '', status = '' } = labels as Record<string, string>;
      const key = `${route} ${status} ${labels.method}`;
      const fresh = value - (before.get(key) ?? 0);
      before.set(key, value);
      if (fresh === 0) continue;
      const byStatus = counts[route] ?? {};
      counts[route] = byStatus;
      byStatus[status] = (byStatus[status] ?? 0) + fresh;
    }
    const behind = [...edges.values()];
    edges.clear();
    return {
      process: process.pid,
      streams: await countStreams(),
      requests: counts,
      memoryBytes: process.memoryUsage.rss(),
      edges: behind,
    };
  };
}
