import { StartError } from '../platform/start-error.ts';
import { sameWishMs } from './stop-on-signal.ts';

/** A signal has ended a command, which has cleaned up. */
export class Interrupted extends StartError {
  constructor(signal: NodeJS.Signals) {
    super(`Interrupted by ${signal}.`);
  }
}

/**
 * Runs a command that a signal interrupts. `work` gets an AbortSignal, makes itself fail when it is aborted, and cleans up
 * as after any other failure: temporary files go, and an embedded PostgreSQL that the command started stops. A later
 * signal ends the process at once.
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  signals: Pick<NodeJS.EventEmitter, 'on' | 'off'> = process,
): Promise<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  let sinceMs: number | undefined;
  const listen = (name: NodeJS.Signals) => {
    if (sinceMs !== undefined) {
      if (performance.now() - sinceMs > sameWishMs) process.exit(1);
      return;
    }
    sinceMs = performance.now();
    controller.abort(new Interrupted(name));
  };
  signals.on('SIGINT', listen);
  signals.on('SIGTERM', listen);
  try {
    return await work(signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signals.off('SIGINT', listen);
    signals.off('SIGTERM', listen);
  }
}

/** Calls back when the signal is aborted, or at once if it is. */
export function whenAborted(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback();
  else signal.addEventListener('abort', callback, { once: true });
}

/**
 * Waits for work until the signal is aborted. Then it is left alone, whatever it is waiting for: a response of another
 * server, or the next look at it. The process ends before it goes on.
 */
export const orAbandoned = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  Promise.race([
    work,
    new Promise<never>((_resolve, reject) => whenAborted(signal, () => reject(signal.reason))),
  ]);
