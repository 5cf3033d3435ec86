import type { Logger } from '../platform/log.ts';

export interface Stop {
  /** Registers cleanup work, which runs in reverse order. */
  readonly atEnd: (work: () => Promise<void>) => void;
  readonly isStopping: () => boolean;
  /** Runs work that a stop by SIGTERM has time for. Ctrl-C skips it, and a second signal cuts it short. */
  readonly drain: (work: (hurry: AbortSignal) => Promise<void>) => Promise<void>;
}

/** The functions of a process; tests replace them. */
interface ProcessSignals {
  readonly on: (signal: 'SIGINT' | 'SIGTERM', listener: () => void) => unknown;
  readonly exit: (code: number) => void;
  /** A monotonic clock. */
  readonly nowMs: () => number;
}

const ofProcess: ProcessSignals = {
  on: (signal, listener) => process.on(signal, listener),
  exit: (code) => process.exit(code),
  nowMs: () => performance.now(),
};

/**
 * Signals within this time of the first count as the same one. A terminal sends Ctrl-C to the whole process group and
 * npm forwards it; timeout(1) and some supervisors also signal the group.
 */
export const sameWishMs = 1_000;

/**
 * Stops gracefully on the first signal, even during the start: requests in progress are answered, and no PostgreSQL
 * keeps running. A later signal ends the process at once, unless it cuts a drain short.
 */
export function stopOnSignal(log: Logger, { on, exit, nowMs } = ofProcess): Stop {
  const works: (() => Promise<void>)[] = [];
  let stoppingSinceMs: number | undefined;
  /** Aborted by Ctrl-C and by a second signal. */
  const hurry = new AbortController();
  let isDraining = false;

  async function stop(): Promise<void> {
    for (let work = works.pop(); work; work = works.pop()) await work();
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    on(signal, () => {
      const isFirst = stoppingSinceMs === undefined;
      const isRepeated = !isFirst && nowMs() - (stoppingSinceMs ?? 0) > sameWishMs;
      if (isRepeated && (!isDraining || hurry.signal.aborted)) return exit(1);
      if (isRepeated || signal === 'SIGINT') hurry.abort();
      if (isFirst || isRepeated) stoppingSinceMs = nowMs();
      if (!isFirst) return;
      log.info({ signal }, 'stopping: waiting for open requests');
      stop().then(
        () => {
          log.info('stopped');
          exit(0);
        },
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
          exit(1);
        },
      );
    });
  }
  return {
    atEnd: (work) => void works.push(work),
    isStopping: () => stoppingSinceMs !== undefined,
    drain: async (work) => {
      if (hurry.signal.aborted) return;
      isDraining = true;
      await work(hurry.signal);
      isDraining = false;
    },
  };
}
