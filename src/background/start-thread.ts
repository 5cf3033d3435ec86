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

/** How soon a thread that died is followed by another. */
const restartMs = 1_000;
/** What it may be busy with at the end: receivers that have not answered yet. */
const patienceMs = 8_000;

/** Beside the bundle of this file lies that of the thread. */
const entry = new URL('./background/thread.js', import.meta.url);

/**
 * Lets the background work in a thread of its own: it takes half a core to tell 500 events a second, and a
 * request that shares its thread with that waits half as long again. Returns the stop.
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
    // Not `once` of events: a thread that fails on its way out would keep us from closing the rest.
    const ended = new Promise<void>((resolve) => last.once('exit', () => resolve()));
    const impatient = setTimeout(() => void last.terminate(), patienceMs);
    last.postMessage('stop');
    await ended;
    clearTimeout(impatient);
  };
}
