import { platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../platform/clock.ts';
import { createLogger } from '../platform/log.ts';
import type { ThreadData } from './start-thread.ts';
import { startBackground } from './work.ts';

// Where a thread has a priority of its own, requests go first.
if (platform() === 'linux') setPriority(10);

/** The beginning of the thread that works in the background; its end is asked for by any message. */
const { connection, settings, logLevel } = workerData as ThreadData;

const stop = await startBackground({
  connection,
  // What travels to a thread arrives as bytes, and is no Buffer any more.
  settings: { ...settings, encryptionKeys: settings.encryptionKeys.map((key) => Buffer.from(key)) },
  log: createLogger(logLevel),
  clock: systemClock,
});
parentPort?.once('message', async () => {
  await stop();
  parentPort?.close();
});
