import { randomUUID } from 'node:crypto';
import type { Logger } from '../../platform/log.ts';
import { version } from '../../platform/version.ts';
import type { EdgeSettings } from '../settings.ts';
import { createDurations } from '../upstream/durations.ts';
import { type Upstream, upstreamAnswered } from '../upstream/requests.ts';
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
/** Upstreams take 1 MiB. What this edge tells about itself is far less than the rest. */
const mostEdgeBytes = 900_000;

interface EdgeBehind {
  readonly report: object;
  readonly bytes: number;
  readonly atMs: number;
}

/** Leaves out what is behind an edge if it would be too large with that. */
function readEdge(report: object): EdgeBehind {
  const atMs = performance.now();
  const bytes = Buffer.byteLength(JSON.stringify(report)) + 1;
  if (bytes <= mostEdgeBytes) return { report, bytes, atMs };
  const { connectedEdges: _, ...alone } = report as { readonly connectedEdges?: unknown };
  return { report: alone, bytes: Buffer.byteLength(JSON.stringify(alone)) + 1, atMs };
}

/** Takes as many as fit into one report, and moves them to the end: the others are told the next time. */
function takeFitting(edges: Map<string, EdgeBehind>): object[] {
  const taken: object[] = [];
  let left = mostEdgeBytes;
  for (const [key, edge] of [...edges]) {
    if (edge.bytes > left) continue;
    left -= edge.bytes;
    taken.push(edge.report);
    edges.delete(key);
    edges.set(key, edge);
  }
  return taken;
}

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
  const edges = new Map<string, EdgeBehind>();
  let offeredFromMs = 0;

  return {
    onUsageSent: usageDurations.add,

    take(report: ServingReport): void {
      addRequests(requests, report.requests);
      streams.set(report.process, report.streams);
      memory.set(report.process, report.memoryBytes);
      for (const each of report.edges) {
        edges.set(String((each as { identifier?: unknown }).identifier), readEdge(each));
        if (edges.size <= mostEdges) continue;
        const [oldest] = [...edges].sort(([, a], [, b]) => a.atMs - b.atMs)[0] as [string, object];
        edges.delete(oldest);
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
            connectedEdges: takeFitting(edges),
          },
          { token },
        );
        if (status === 404) offeredFromMs = performance.now() + notOfferedMs;
        else if (status >= 400) throw upstreamAnswered(`POST ${path}`, status);
      } catch (error) {
        addRequests(requests, sent);
        log.debug({ err: error }, 'the report of this edge could not be sent');
      }
    },
  };
}
