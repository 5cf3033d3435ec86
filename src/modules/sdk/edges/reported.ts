import { unprintable } from '../../../platform/unprintable.ts';
import { parseInstant } from '../client-metrics/index.ts';
import type { EdgeReport } from './contract.ts';

/** An edge as it is stored. */
export interface ReportedEdge {
  readonly identifier: string;
  readonly parent: string | null;
  readonly instanceId: string | null;
  readonly appName: string;
  readonly version: string;
  readonly region: string | null;
  readonly environment: string | null;
  readonly startedAt: string | null;
  readonly reportedAt: string;
  readonly stateAgeSeconds: number | null;
  readonly connectedClients: number;
  /** Requests since the report before; null if it does not tell. */
  readonly requests: number | null;
  readonly memoryBytes: number | null;
  readonly featuresMs: number | null;
  readonly featuresP99Ms: number | null;
  readonly metricsMs: number | null;
  readonly metricsP99Ms: number | null;
}

/** The edges taken from one report: itself and those behind it. More are left out. */
const mostInReport = 200;

/** No real value is larger, and the database takes it in every column. */
const mostNumber = 1_000_000_000_000_000;

const numberOf = (value: number | null | undefined): number | null =>
  typeof value === 'number' && value >= 0 ? Math.min(value, mostNumber) : null;

const readable = (text: string): string => text.replace(unprintable, '\ufffd');
const readableOrNull = (text: string | null | undefined): string | null =>
  text ? readable(text) : null;

/**
 * Adds the numbers in a value. Edges count by path and status, and different versions nest them differently; anything
 * deeper was not sent by an edge.
 */
function sumOf(value: unknown, levels = 4): number {
  if (typeof value === 'number') return Math.max(value, 0);
  if (typeof value !== 'object' || value === null || levels === 0) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + sumOf(each, levels - 1), 0);
}

/** Years that both the database and JSON write with four digits. */
const earliestMs = Date.UTC(2000, 0);
const latestMs = Date.UTC(9000, 0);

function instantOf(written: string | number | undefined): string | null {
  const moment = written === undefined ? undefined : parseInstant(written);
  return moment !== undefined && moment > earliestMs && moment < latestMs
    ? new Date(moment).toISOString()
    : null;
}

/** The reporting edge and those behind it, nearest first. */
export function edgesIn(
  report: EdgeReport,
  { environment, now }: { readonly environment: string | null; readonly now: Date },
): ReportedEdge[] {
  const edges: ReportedEdge[] = [];
  const waiting: { readonly report: EdgeReport; readonly parent: string | null }[] = [
    { report, parent: null },
  ];
  for (let next = waiting.shift(); next && edges.length < mostInReport; next = waiting.shift()) {
    const { report: each, parent } = next;
    const identifier = readable(each.identifier);
    const counted = each.traffic?.requestsSinceLastReport;
    edges.push({
      identifier,
      parent,
      instanceId: readableOrNull(each.instanceId),
      appName: readable(each.appName),
      version: readable(each.edgeVersion),
      region: readableOrNull(each.region),
      environment,
      startedAt: instantOf(each.started),
      reportedAt: now.toISOString(),
      stateAgeSeconds: numberOf(each.stateAgeSeconds),
      connectedClients: Math.round(numberOf(each.connectedStreamingClients) ?? 0),
      requests: counted === undefined || counted === null ? null : numberOf(sumOf(counted)),
      memoryBytes: numberOf(each.processMetrics?.memoryUsage),
      featuresMs: numberOf(each.latencyUpstream?.features?.avg),
      featuresP99Ms: numberOf(each.latencyUpstream?.features?.p99),
      metricsMs: numberOf(each.latencyUpstream?.metrics?.avg),
      metricsP99Ms: numberOf(each.latencyUpstream?.metrics?.p99),
    });
    for (const behind of each.connectedEdges ?? [])
      waiting.push({ report: behind, parent: identifier });
  }
  return edges;
}
