import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import type { Snapshot } from '../../modules/sdk/snapshot/index.ts';
import type { Logger } from '../../platform/log.ts';
import type { Feed } from '../hub/feed.ts';
import type { Hub } from '../hub/hub.ts';
import { emptySnapshot } from '../hub/merge.ts';
import { type ToPrimary, type ToWorker, updateBetween } from './messages.ts';

/** A worker that ends at once would be started again and again. The pauses double while none of them serves. */
const firstRestartMs = 1_000;
const longestRestartMs = 30_000;

/** Connects a worker to the hub. */
function connect(worker: Worker, feed: Feed, metrics: () => Promise<string>): () => void {
  let unfollow: () => void = () => undefined;
  const send = (message: ToWorker) => {
    if (worker.isConnected()) worker.send(message, () => undefined);
  };
  let known: Snapshot = emptySnapshot;

  async function answer(id: number, work: () => Promise<unknown>): Promise<void> {
    try {
      const value = (await work()) as string | undefined;
      send({ kind: 'answer', id, value });
    } catch (error) {
      send({ kind: 'answer', id, refusal: (error as Error).message });
    }
  }

  worker.on('message', (message: ToPrimary) => {
    switch (message.kind) {
      case 'follow':
        unfollow = feed.follow({
          onSnapshot: (snapshot) => {
            if (snapshot === known) return;
            send({ kind: 'snapshot', update: updateBetween(known, snapshot) });
            known = snapshot;
          },
          onTokens: (tokens) => send({ kind: 'tokens', tokens }),
          onFreshness: (freshness) => send({ kind: 'freshness', freshness }),
          onUsage: (usage) => send({ kind: 'usage', usage }),
        });
        return;
      case 'report':
        return feed.report(message.report);
      case 'find':
        return void answer(message.id, () => feed.find(message.secrets, message.address));
      case 'store':
        return void answer(message.id, () => feed.store(message.batch));
      case 'metrics':
        return void answer(message.id, metrics);
    }
  });
  return () => unfollow();
}

interface WorkersOptions {
  readonly count: number;
  readonly hub: Hub;
  readonly log: Logger;
  /** A worker that is asked to end and still runs after this time is killed. */
  readonly endWithinMs: number;
}

interface Workers {
  /** Resolves once all of them serve. One that ends before that is replaced, too. */
  readonly listening: Promise<void>;
  /** Stops them and waits for their end. */
  readonly stop: () => Promise<void>;
}

/** Starts the processes that serve, on one port. */
export function startWorkers({ count, hub, log, endWithinMs }: WorkersOptions): Workers {
  cluster.setupPrimary({ serialization: 'advanced' });
  const aggregator = new AggregatorRegistry();
  const serving = new Set<Worker>();
  let isStopping = false;
  let markListening: () => void = () => undefined;
  const listening = new Promise<void>((resolve) => {
    markListening = resolve;
  });

  /** `failures` counts the workers before this one that ended without serving. */
  function fork(failures: number): void {
    const worker = cluster.fork();
    const disconnect = connect(worker, hub, () => aggregator.clusterMetrics());
    worker.on('listening', () => {
      serving.add(worker);
      if (serving.size === count) markListening();
    });

    function replace(code?: number, signal?: string): void {
      disconnect();
      hub.forget(worker.process.pid ?? 0);
      const hasServed = serving.delete(worker);
      if (isStopping) return;
      const failed = hasServed ? 0 : failures + 1;
      const afterMs = Math.min(longestRestartMs, firstRestartMs * 2 ** failed);
      log.error({ code, signal, afterMs }, 'a worker exited, starting another one');
      void pause(afterMs).then(() => {
        if (!isStopping) fork(failed);
      });
    }
    worker.on('exit', replace);
    worker.on('error', (error) => {
      log.error({ err: error }, 'a worker failed');
      // One that could not be started, because the machine has too many processes, does not exit.
      if (worker.process.pid === undefined) replace();
    });
  }

  async function end(worker: Worker): Promise<void> {
    const ended = once(worker, 'exit');
    worker.process.kill('SIGTERM');
    const limit = setTimeout(() => {
      log.error({ pid: worker.process.pid }, 'a worker does not exit, killing it');
      worker.process.kill('SIGKILL');
    }, endWithinMs);
    await ended;
    clearTimeout(limit);
  }

  for (let nth = 0; nth < count; nth += 1) fork(0);
  return {
    listening,
    async stop() {
      isStopping = true;
      // The end of a dead one is not told again.
      const left = Object.values(cluster.workers ?? {}).flatMap((worker) =>
        worker && !worker.isDead() ? [worker] : [],
      );
      await Promise.all(left.map(end));
    },
  };
}
