import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../start-error.ts';
import { errorCode } from './failure.ts';
import type { Postmaster } from './postmaster.ts';
import type { Connection, Presence } from './presence.ts';

/** A server that this process has joined. */
export interface JoinedServer {
  readonly connection: Connection;
  readonly presence: Presence;
  readonly postmaster: Postmaster;
  readonly adopted: boolean;
}

interface KeepRunningOptions {
  readonly warn: (message: string) => void;
  /** Called once after the last attempt. Without it, attempts continue for ever. */
  readonly onGone?: ((error: StartError) => void) | undefined;
  readonly pausesMs?: readonly number[];
  /** Waits for the delay, or until the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const pauseFor = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { ref: false, signal }).catch(() => undefined);

interface Running {
  /** Ends the attempts. Resolves with the last server, which may no longer run. */
  end(): Promise<JoinedServer>;
}

/** The delays before the attempts. With the time of the attempts themselves they add up to about a minute. */
const PAUSES_MS = [250, 1000, 2000, 4000, 8000, 10_000];
const MAX_FAILURES = 8;
/** A server that dies sooner after a restart has not recovered, which counts as a failed attempt. */
const STEADY_MS = 60_000;

/**
 * Restarts a lost server again and again: killed by the OOM killer, ended by its own panic on a full disk, or crashed
 * by one of its processes. It waits for a full disk without limit. After several other failures it gives up, so that a
 * supervisor can act.
 */
export function keepRunning(
  first: JoinedServer,
  again: (signal: AbortSignal) => Promise<JoinedServer>,
  { warn, onGone, pausesMs = PAUSES_MS, pause = pauseFor }: KeepRunningOptions,
): Running {
  const ending = new AbortController();
  const { signal } = ending;
  let last = first;
  let failures = 0;
  let backAt = performance.now();
  let reviving: Promise<void> = Promise.resolve();

  /** Consecutive attempts that found the disk full. Their delays grow, and only the first is logged. */
  let fullTimes = 0;

  const pauseMs = () => pausesMs[Math.min(failures + fullTimes, pausesMs.length - 1)] ?? 0;

  /** Returns whether to try again. */
  function goesOn(error: unknown): boolean {
    if (errorCode(error) === 'ENOSPC') {
      if (fullTimes === 0) {
        warn('The disk is full. PostgreSQL will be restarted as soon as there is space.');
      }
      fullTimes += 1;
      return true;
    }
    failures += 1;
    const reason = error instanceof Error ? error.message : String(error);
    if (!onGone || failures < MAX_FAILURES) {
      if (onGone) warn(`Couldn't restart PostgreSQL yet: ${reason}`);
      return true;
    }
    onGone(new StartError(`PostgreSQL stopped unexpectedly and couldn't be restarted. ${reason}`));
    return false;
  }

  async function tryAgain(): Promise<'back' | 'over' | 'away'> {
    await pause(pauseMs(), signal);
    if (signal.aborted) return 'over';
    try {
      last = await again(signal);
    } catch (error) {
      if (signal.aborted) return 'over';
      return goesOn(error) ? 'away' : 'over';
    }
    backAt = performance.now();
    fullTimes = 0;
    if (onGone) warn(`PostgreSQL is running again (process ${last.postmaster.pid})`);
    return 'back';
  }

  async function revive(): Promise<void> {
    if (signal.aborted) return;
    if (onGone) warn('PostgreSQL stopped unexpectedly: restarting it');
    if (performance.now() - backAt > STEADY_MS) failures = 0;
    else if (last !== first && !goesOn(new Error('It stopped again soon after the restart.')))
      return;
    let outcome = await tryAgain();
    while (outcome === 'away') outcome = await tryAgain();
    if (outcome === 'back') watch(last);
  }

  function watch({ presence }: JoinedServer): void {
    void presence.lost.then(() => {
      reviving = revive();
    });
  }

  watch(first);
  return {
    async end() {
      ending.abort();
      await reviving;
      return last;
    },
  };
}
