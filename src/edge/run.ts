import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { closingStreamsMs } from '../platform/http/drain.ts';
import { digestOf } from '../platform/http/entity-tag.ts';
import { openRequestsMs } from '../platform/http/http-app.ts';
import { listen } from '../platform/http/http-server.ts';
import type { Logger } from '../platform/log.ts';
import { version } from '../platform/version.ts';
import { startWorkers } from './cluster/primary.ts';
import { connectToHub } from './cluster/worker.ts';
import { createHub, type Hub } from './hub/hub.ts';
import { hashOf } from './hub/tokens.ts';
import { buildEdgeApp } from './serving/edge-app.ts';
import type { EdgeSettings } from './settings.ts';
import { openFolder } from './state/folder.ts';
import { openRedis } from './state/redis.ts';
import { createUpstream } from './upstream/requests.ts';

/** The pauses between tries to store usage are 4.2 s. The rest is for the timers of a busy machine. */
const storesUsageMs = 7_000;

/** How long a worker may take to close. Orchestrators must wait longer, because the state is stored afterwards. */
export const workerEndsMs = ({ shutdownDelayMs }: Pick<EdgeSettings, 'shutdownDelayMs'>): number =>
  (shutdownDelayMs > 0 ? shutdownDelayMs + closingStreamsMs : 0) + openRequestsMs + storesUsageMs;

/** What the command line offers to a process that will be stopped. */
interface EdgeStop {
  readonly atEnd: (work: () => Promise<void>) => void;
  readonly drain: (work: (hurry: AbortSignal) => Promise<void>) => Promise<void>;
}

/** Creates the part that talks to the upstream, without starting it. */
export async function openHub(
  settings: EdgeSettings,
  instanceId: string,
  log: Logger,
): Promise<Hub> {
  const { upstreamUrl, backupFolder, redisUrl } = settings;
  const upstream = upstreamUrl
    ? createUpstream({ ...settings, upstreamUrl, instanceId })
    : undefined;
  const configured = settings.tokens.map(({ secret }) => hashOf(secret)).sort();
  const stores = [
    ...(backupFolder ? [await openFolder(backupFolder, log)] : []),
    ...(redisUrl ? [openRedis(redisUrl, digestOf(JSON.stringify([upstreamUrl, configured])))] : []),
  ];
  return createHub({ settings, instanceId, upstream, stores, log });
}

/** Runs an edge until it is stopped: in this process, or in several if WORKERS says so. */
export async function runEdge(settings: EdgeSettings, stop: EdgeStop, log: Logger): Promise<void> {
  const { drain } = stop;
  if (cluster.isWorker) {
    const { metrics, ...feed } = connectToHub();
    const instanceId = `${settings.instanceId ?? settings.appName}-${process.pid}`;
    const app = await buildEdgeApp({ settings, instanceId, feed, log, drain, metrics });
    stop.atEnd(() => app.close());
    await listen(app, settings);
    return;
  }
  const instanceId = settings.instanceId ?? randomUUID();
  const hub = await openHub(settings, instanceId, log);
  stop.atEnd(hub.close);
  await hub.start();
  if (settings.workers > 1) {
    const endWithinMs = workerEndsMs(settings);
    const workers = startWorkers({ count: settings.workers, hub, log, endWithinMs });
    stop.atEnd(workers.stop);
    await workers.listening;
  } else {
    const app = await buildEdgeApp({ settings, instanceId, feed: hub, log, drain });
    stop.atEnd(() => app.close());
    await listen(app, settings);
  }
  const { port, mode, workers } = settings;
  log.info({ version, port, mode, workers }, 'the edge is running');
}
