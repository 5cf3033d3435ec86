import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../start-error.ts';
import { errorCode } from './failure.ts';
import type { Postmaster } from './postmaster.ts';
import type { Connection, Presence } from './presence.ts';

/** A server in use. */
export interface Entered {
  readonly connection: Connection;
  readonly presence: Presence;
  readonly postmaster: Postmaster;
  readonly adopted: boolean;
}

interface KeepRunningOptions {
  readonly warn: (message: string) => void;
  /** Called once when it is given up; without it, it is tried for ever. */
  readonly onGone?: ((error: StartError) => void) | undefined;
  readonly pausesMs?: readonly number[];
  /** Waits for so long, or until it is over. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const pauseFor = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { ref: false, signal }).catch(() => undefined);

interface Running {
  /** Tries no more; resolves with the server that was used last, whether it is there or not. */
  end(): Promise<Entered>;
}

/** Before each attempt. All of them, with what they take themselves, are about a minute. */
const PAUSES_MS = [250, 1000, 2000, 4000, 8000, 10_000];
const MAX_FAILURES = 8;
/** A server that dies sooner after it came back has not recovered: that counts as a failure, too. */
const STEADY_MS = 60_000;

/**
 * Brings a server that was lost back, again and again: killed by the OOM killer, ended by its own panic on a
 * full disk, crashed by one of its processes. A full disk is waited for, however long that takes; anything
 * else is given up after some attempts, so that somebody else can act.
 */
export function keepRunning(
  first: Entered,
  again: (signal: AbortSignal) => Promise<Entered>,
  { warn, onGone, pausesMs = PAUSES_MS, pause = pauseFor }: KeepRunningOptions,
): Running {
  const ending = new AbortController();
  const { signal } = ending;
  let last = first;
  let failures = 0;
  let backAt = performance.now();
  let reviving: Promise<void> = Promise.resolve();

  /** Attempts in a row that found the disk full: they are made less and less often, and told of once. */
  let fullTimes = 0;

  const pauseMs = () => pausesMs[Math.min(failures + fullTimes, pausesMs.length - 1)] ?? 0;

  /** Whether it is worth another attempt. */
  function goesOn(error: unknown): boolean {
    if (errorCode(error) === 'ENOSPC') {
      if (fullTimes === 0) {
        warn('The disk is full. PostgreSQL is started again as soon as there is room.');
      }
      fullTimes += 1;
      return true;
    }
    failures += 1;
    const reason = error instanceof Error ? error.message : String(error);
    if (!onGone || failures < MAX_FAILURES) {
      if (onGone) warn(`PostgreSQL is not back yet: ${reason}`);
      return true;
    }
    onGone(new StartError(`PostgreSQL died and could not be started again. ${reason}`));
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
    if (onGone) warn(`PostgreSQL is back (process ${last.postmaster.pid})`);
    return 'back';
  }

  async function revive(): Promise<void> {
    if (signal.aborted) return;
    if (onGone) warn('PostgreSQL was lost: bringing it back');
    if (performance.now() - backAt > STEADY_MS) failures = 0;
    else if (last !== first && !goesOn(new Error('It died again soon after it was back.'))) return;
    let outcome = await tryAgain();
    while (outcome === 'away') outcome = await tryAgain();
    if (outcome === 'back') watch(last);
  }

  function watch({ presence }: Entered): void {
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
