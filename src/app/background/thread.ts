import { platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/log.ts';
import { createTally } from '../../platform/metrics.ts';
import type { ThreadData } from './background-thread.ts';
import { startBackground } from './work.ts';

// On Linux each thread has its own priority. A lower one lets requests run first.
if (platform() === 'linux') setPriority(10);

/** How often the counts of this thread are sent to the main thread's metrics. */
const sendCountsEveryMs = 500;

/** The entry of the background thread. Any message stops it. */
const { connection, settings, logLevel } = workerData as ThreadData;

const tally = createTally();
const sendCounts = () => {
  const counted = tally.take();
  if (counted.length > 0) parentPort?.postMessage(counted);
};
setInterval(sendCounts, sendCountsEveryMs).unref();

const stop = await startBackground({
  connection,
  // Buffers arrive in a thread as plain byte arrays.
  settings: { ...settings, encryptionKeys: settings.encryptionKeys.map((key) => Buffer.from(key)) },
  log: createLogger(logLevel),
  clock: systemClock,
  metrics: tally,
});
parentPort?.once('message', async () => {
  await stop();
  sendCounts();
  parentPort?.close();
});
