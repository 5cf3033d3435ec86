import { Worker } from 'node:worker_threads';
import type { Connection } from '../platform/db/connect.ts';
import { addCounted, type Counted, type Figures } from '../platform/figures.ts';
import type { Logger, logLevels } from '../platform/log.ts';
import type { Settings } from '../platform/module.ts';

export interface ThreadData {
  readonly connection: Connection;
  readonly settings: Settings;
  readonly logLevel: (typeof logLevels)[number];
}

/** The delay before a dead thread is replaced. */
const restartMs = 1_000;
/** How long a stop waits for receivers that have not answered yet. */
const graceMs = 8_000;

/** The bundle of the thread is next to the bundle of this file. */
const entry = new URL('./background/thread.js', import.meta.url);

/**
 * Runs the background work in a separate thread. Sending 500 events a second takes half a core; on the same thread,
 * requests took 50% longer. Returns a function that stops it.
 */
export function startThread(data: ThreadData, log: Logger, figures: Figures): () => Promise<void> {
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let worker: Worker | undefined;

  figures.gauge(
    {
      name: 'burgee_background_alive',
      help: '1 while the thread that sends deliveries is running',
    },
    () => (worker === undefined ? 0 : 1),
  );

  const start = () => {
    worker = new Worker(entry, { workerData: data });
    worker.on('message', (counted: readonly Counted[]) => addCounted(figures, counted));
    worker.on('error', (error) => log.error({ err: error }, 'the background thread failed'));
    worker.on('exit', () => {
      worker = undefined;
      if (!stopping) timer = setTimeout(start, restartMs);
    });
  };
  start();

  return async () => {
    stopping = true;
    clearTimeout(timer);
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
}
