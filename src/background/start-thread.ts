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
/** How long a stop waits: receivers may not have answered yet. */
const graceMs = 8_000;

/** The bundle of the thread lies beside the bundle of this file. */
const entry = new URL('./background/thread.js', import.meta.url);

/**
 * Runs the background work in a thread of its own. Sending 500 events a second takes half a core, and requests on the
 * same thread took half as long again. Returns a function that stops it.
 */
export function startThread(data: ThreadData, log: Logger, figures: Figures): () => Promise<void> {
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let worker: Worker | undefined;

  figures.gauge(
    { name: 'burgee_background_alive', help: '1 while the thread that delivers runs' },
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
    // Not `once` of events: a thread that fails while it stops would keep the rest from closing.
    const ended = new Promise<void>((resolve) => last.once('exit', () => resolve()));
    const impatient = setTimeout(() => void last.terminate(), graceMs);
    last.postMessage('stop');
    await ended;
    clearTimeout(impatient);
  };
}
