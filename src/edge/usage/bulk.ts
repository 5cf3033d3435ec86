import type {
  Batch,
  InstanceReport,
  UsageReport,
} from '../../modules/sdk/client-metrics/report/buffer.ts';
import type { Scope } from '../hub/scopes.ts';

/** A body of `POST /api/client/metrics/bulk`. It stays the same on every try, so that it is counted once. */
export interface BulkBody {
  readonly batchId: string;
  /** Whether the tokens that reported it are public, as those of browsers are. Unleash ignores it. */
  readonly isPublic?: true;
  readonly applications: readonly object[];
  readonly metrics: readonly object[];
}

/** Usage of one scope: it is sent with a token that has access to it. */
export interface ScopedUsage {
  readonly scope: Scope;
  readonly isPublic?: true;
  readonly applications: readonly object[];
  readonly metrics: readonly object[];
  /** How many counts take as much memory. */
  readonly room: number;
}

/** A count takes about as much. */
const bytesOfCount = 500;

/** Some upstreams accept bodies of 100 kB. */
const maxBytes = 80_000;

interface Sender {
  readonly appName: string;
  readonly instanceId: string;
}

/** Seconds between two reports. */
const usualInterval = 60;

/** Unleash requires strategies, start, and interval. Burgee takes an empty list for an unknown one. */
const applicationOf = (report: InstanceReport, sender: Sender, started: string) => ({
  appName: report.appName,
  instanceId: report.instanceId,
  environment: report.scope.environment,
  connectVia: [sender],
  ...(report.sdkVersion !== null && { sdkVersion: report.sdkVersion }),
  ...(report.sdkType !== null && { sdkType: report.sdkType }),
  ...(report.specVersion !== null && { specVersion: report.specVersion }),
  ...{ strategies: report.strategies ?? [], started, interval: usualInterval },
});

/** The largest count that the server accepts: usage that waited longer than it should may have more. */
const maxCount = 1_000_000_000_000;
const capped = (count: number): number => Math.min(count, maxCount);

const metricsOf = ({ scope, appName, hourMs, features }: UsageReport) =>
  [...features].map(([featureName, { yes, no, variants }]) => ({
    featureName,
    appName,
    environment: scope.environment,
    timestamp: new Date(hourMs).toISOString(),
    yes: capped(yes),
    no: capped(no),
    ...(variants && {
      variants: Object.fromEntries([...variants].map(([name, times]) => [name, capped(times)])),
    }),
  }));

export const scopeKey = ({ environment, projects }: Scope): string =>
  `${environment} ${projects === 'all' ? '*' : projects.join(' ')}`;

/** Usage of one kind is sent together. What anyone can invent is a kind of its own. */
export interface Kind {
  readonly scope: Scope;
  readonly isPublic?: boolean;
}

export const kindKey = ({ scope, isPublic = false }: Kind): string =>
  `${scopeKey(scope)}\n${isPublic}`;

interface Part {
  readonly items: object[];
  bytes: number;
  room: number;
}

/** Splits a list into parts that fit into a body. */
function partsOf(items: readonly object[]): Part[] {
  const parts: Part[] = [];
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    let part = parts.at(-1);
    if (!part || part.bytes + size > maxBytes) {
      part = { items: [], bytes: 0, room: 0 };
      parts.push(part);
    }
    part.items.push(item);
    part.bytes += size;
    part.room += Math.ceil(size / bytesOfCount);
  }
  return parts;
}

/**
 * The usage of one kind, in parts that fit into a body. Applications and counts apart: Unleash counts usage before it
 * refuses an application that is sent with it, and would count it again with each try.
 */
export function scopedUsage(
  { scope, isPublic }: Kind,
  { reports, instances }: Pick<Batch, 'reports' | 'instances'>,
  sender: Sender,
): ScopedUsage[] {
  const started = new Date().toISOString();
  const usage = { scope, ...(isPublic && { isPublic }), applications: [], metrics: [] };
  const applications = partsOf(instances.map((each) => applicationOf(each, sender, started)));
  const metrics = partsOf(reports.flatMap(metricsOf));
  return [
    ...applications.map(({ items, room }) => ({ ...usage, applications: items, room })),
    ...metrics.map(({ items, room }) => ({ ...usage, metrics: items, room })),
  ];
}
