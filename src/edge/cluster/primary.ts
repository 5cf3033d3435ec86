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

/** A worker that ends at once would be started again and again. */
const restartAfterMs = 1_000;

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

/** Starts the processes that serve, on one port. Returns a function that stops them and waits for their end. */
export async function startWorkers(
  count: number,
  hub: Hub,
  log: Logger,
): Promise<() => Promise<void>> {
  cluster.setupPrimary({ serialization: 'advanced' });
  const aggregator = new AggregatorRegistry();
  let isStopping = false;

  function fork(): Worker {
    const worker = cluster.fork();
    const disconnect = connect(worker, hub, () => aggregator.clusterMetrics());
    worker.on('error', (error) => log.error({ err: error }, 'a worker failed'));
    worker.on('exit', (code, signal) => {
      disconnect();
      hub.forget(worker.process.pid ?? 0);
      if (isStopping) return;
      log.error({ code, signal }, 'a worker ended, another one starts');
      void pause(restartAfterMs, undefined, { ref: false }).then(() => {
        if (!isStopping) fork();
      });
    });
    return worker;
  }

  await Promise.all(Array.from({ length: count }, () => once(fork(), 'listening')));
  return async () => {
    isStopping = true;
    // The end of a dead one is not told again.
    const left = Object.values(cluster.workers ?? {}).flatMap((worker) =>
      worker && !worker.isDead() ? [worker] : [],
    );
    await Promise.all(
      left.map(async (worker) => {
        const ended = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await ended;
      }),
    );
  };
}
