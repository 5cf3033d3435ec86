import { platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../platform/clock.ts';
import { createTally } from '../platform/figures.ts';
import { createLogger } from '../platform/log.ts';
import type { ThreadData } from './start-thread.ts';
import { startBackground } from './work.ts';

// Where a thread has a priority of its own, requests go first.
if (platform() === 'linux') setPriority(10);

/** How soon what was counted here is told to whoever asks for figures. */
const handOverMs = 500;

/** The beginning of the thread that works in the background; its end is asked for by any message. */
const { connection, settings, logLevel } = workerData as ThreadData;

const tally = createTally();
const handOver = () => {
  const counted = tally.take();
  if (counted.length > 0) parentPort?.postMessage(counted);
};
setInterval(handOver, handOverMs).unref();

const stop = await startBackground({
  connection,
  // What travels to a thread arrives as bytes, and is no Buffer any more.
  settings: { ...settings, encryptionKeys: settings.encryptionKeys.map((key) => Buffer.from(key)) },
  log: createLogger(logLevel),
  clock: systemClock,
  figures: tally,
});
parentPort?.once('message', async () => {
  await stop();
  handOver();
  parentPort?.close();
});
