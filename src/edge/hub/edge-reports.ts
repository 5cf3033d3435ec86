import { randomUUID } from 'node:crypto';
import type { Logger } from '../../platform/log.ts';
import { version } from '../../platform/version.ts';
import type { EdgeSettings } from '../settings.ts';
import { createDurations } from '../upstream/durations.ts';
import type { Upstream } from '../upstream/requests.ts';
import type { ServingReport } from './feed.ts';

/** An upstream without the endpoint is asked again after this time. */
const notOfferedMs = 60 * 60_000;
type Requests = ServingReport['requests'];

function addRequests(into: Record<string, Record<string, number>>, more: Requests): void {
  for (const [path, byStatus] of Object.entries(more)) {
    const counts = into[path] ?? {};
    into[path] = counts;
    for (const [status, count] of Object.entries(byStatus)) {
      counts[status] = (counts[status] ?? 0) + count;
    }
  }
}

/** An edge behind this one that is silent for longer is no longer reported. */
const silentMs = 10 * 60_000;
/** As many as an upstream takes. */
const mostEdges = 200;

interface EdgeReportsOptions {
  readonly settings: EdgeSettings;
  readonly instanceId: string;
  readonly upstream: Upstream | undefined;
  readonly log: Logger;
}

/** What this edge tells its upstream about itself and about the edges behind it. */
export function createEdgeReports({ settings, instanceId, upstream, log }: EdgeReportsOptions) {
  const identifier = randomUUID();
  const started = new Date().toISOString();
  const usageDurations = createDurations();
  let requests: Record<string, Record<string, number>> = {};
  const streams = new Map<number, number>();
  const memory = new Map<number, number>();
  const edges = new Map<string, { readonly report: object; readonly atMs: number }>();
  let offeredFromMs = 0;

  return {
    onUsageSent: usageDurations.add,

    take(report: ServingReport): void {
      addRequests(requests, report.requests);
      streams.set(report.process, report.streams);
      memory.set(report.process, report.memoryBytes);
      for (const each of report.edges) {
        const key = String((each as { identifier?: unknown }).identifier);
        // The one that reported last comes last.
        edges.delete(key);
        edges.set(key, { report: each, atMs: performance.now() });
        if (edges.size > mostEdges) edges.delete(edges.keys().next().value as string);
      }
    },

    forget(process: number): void {
      streams.delete(process);
      memory.delete(process);
    },

    /** Never rejects: nothing depends on it. */
    async send(token: string | undefined, ageSeconds: number | undefined): Promise<void> {
      if (!upstream || token === undefined || performance.now() < offeredFromMs) return;
      for (const [key, { atMs }] of edges) {
        if (performance.now() - atMs > silentMs) edges.delete(key);
      }
      const sent = requests;
      requests = {};
      const sum = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0);
      const path = '/api/client/metrics/edge';
      try {
        const { status } = await upstream.post(
          path,
          {
            identifier,
            instanceId,
            appName: settings.appName,
            ...(settings.region && { region: settings.region }),
            edgeVersion: version,
            started,
            ...(ageSeconds !== undefined && {
              stateAgeSeconds: Math.max(0, Math.round(ageSeconds)),
            }),
            processMetrics: {
              cpuUsage: process.cpuUsage().user / 1e6,
              memoryUsage: Math.max(process.memoryUsage.rss(), sum(memory.values())),
            },
            traffic: {
              requestsSinceLastReport: sent,
              cachedResponses: {},
              accessDenied: {},
            },
            latencyUpstream: {
              features: upstream.durations(),
              metrics: usageDurations.read(),
              edge: { avg: null, p99: null },
            },
            connectedStreamingClients: sum(streams.values()),
            connectedEdges: [...edges.values()].map(({ report }) => report),
          },
          { token },
        );
        if (status === 404) offeredFromMs = performance.now() + notOfferedMs;
      } catch (error) {
        addRequests(requests, sent);
        log.debug({ err: error }, 'the report of this edge could not be sent');
      }
    },
  };
}
