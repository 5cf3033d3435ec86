import { Worker } from 'node:worker_threads';
import type { Connection } from '../../platform/db/connect.ts';
import { logRetry } from '../../platform/db/outage.ts';
import type { Logger, logLevels } from '../../platform/log.ts';
import { addCounted, type Counted, type Metrics } from '../../platform/metrics.ts';
import type { Settings } from '../../platform/module.ts';

export interface ThreadData {
  readonly connection: Connection;
  readonly settings: Settings;
  readonly logLevel: (typeof logLevels)[number];
}

export interface ThreadOptions {
  readonly data: ThreadData;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Whether there is anything to do for the thread, now or later. */
  readonly isNeeded: () => Promise<boolean>;
  /** Calls back when it may be needed from now on. Returns a function that unsubscribes. */
  readonly onChange: (callback: () => void) => () => void;
}

interface BackgroundThread {
  /** Watches from now on whether the thread is needed. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** The delay before a dead thread is replaced. */
const restartMs = 1_000;
/** How often it is looked whether the thread is needed, should a notice get lost. */
const lookEveryMs = 1_000;
/** How long a stop waits for receivers that have not answered yet. */
const graceMs = 8_000;

/** The bundle of the thread is next to the bundle of this file. */
const entry = new URL('./app/background/thread.js', import.meta.url);

/**
 * Runs the background work in a separate thread. Sending 500 events a second takes half a core; on the same thread,
 * requests took 50% longer. The thread starts when it is needed, because it takes a quarter of the memory of an idle
 * server. Its figure is there before `start`, so that no scrape misses it.
 */
export function backgroundThread(options: ThreadOptions): BackgroundThread {
  const { data, log, metrics, isNeeded, onChange } = options;
  let stopping = false;
  let needed = false;
  let timer: NodeJS.Timeout | undefined;
  let worker: Worker | undefined;

  metrics.gauge(
    {
      name: 'burgee_background_alive',
      help: '0 while integrations exist and the thread that sends deliveries is not running',
    },
    () => (needed && worker === undefined ? 0 : 1),
  );

  const run = () => {
    worker = new Worker(entry, { workerData: data });
    worker.on('message', (counted: readonly Counted[]) => addCounted(metrics, counted));
    worker.on('error', (error) => log.error({ err: error }, 'the background thread failed'));
    worker.on('exit', () => {
      worker = undefined;
      if (!stopping) timer = setTimeout(run, restartMs);
    });
  };

  let isLooking = false;
  const look = async () => {
    if (needed || isLooking) return;
    isLooking = true;
    try {
      if (!(await isNeeded()) || stopping) return;
      needed = true;
      endLooking();
      run();
    } catch (error) {
      logRetry(log, error, 'could not determine whether deliveries are needed');
    } finally {
      isLooking = false;
    }
  };
  let endLooking = () => {};
  const start = () => {
    const unsubscribe = onChange(() => void look());
    const lookTimer = setInterval(look, lookEveryMs).unref();
    endLooking = () => {
      unsubscribe();
      clearInterval(lookTimer);
    };
    void look();
  };

  const stop = async () => {
    stopping = true;
    clearTimeout(timer);
    endLooking();
    const last = worker;
    if (!last) return;
    // Not `once` of `node:events`: it rejects if the thread fails while stopping, and the remaining cleanup would not
    // run.
    const ended = new Promise<void>((resolve) => last.once('exit', () => resolve()));
    const impatient = setTimeout(() => void last.terminate(), graceMs);
    last.postMessage('stop');
    await ended;
    clearTimeout(impatient);
  };

  return { start, stop };
}
