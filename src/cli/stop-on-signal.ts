import type { Logger } from '../platform/log.ts';

export interface Stop {
  /** Work for the end; what was begun last ends first. */
  readonly atEnd: (work: () => Promise<void>) => void;
  readonly isStopping: () => boolean;
}

/** What a process has, where a test has something else. */
interface ProcessSignals {
  readonly on: (signal: 'SIGINT' | 'SIGTERM', heard: () => void) => unknown;
  readonly exit: (code: number) => void;
  /** By a clock that nobody sets. */
  readonly nowMs: () => number;
}

const ofProcess: ProcessSignals = {
  on: (signal, heard) => process.on(signal, heard),
  exit: (code) => process.exit(code),
  nowMs: () => performance.now(),
};

/**
 * A terminal sends Ctrl-C to all of its processes, and npm hands it on to ours; so do timeout(1) and supervisors that
 * signal a whole group. What comes so soon after the first is the same wish, and nobody's impatience.
 */
const sameWishMs = 1_000;

/**
 * The first signal stops gracefully, however far the start is: requests under way are answered, and no PostgreSQL is
 * left behind. A later one ends at once.
 */
export function stopOnSignal(log: Logger, { on, exit, nowMs } = ofProcess): Stop {
  const works: (() => Promise<void>)[] = [];
  let stoppingSinceMs: number | undefined;

  async function stop(): Promise<void> {
    for (let work = works.pop(); work; work = works.pop()) await work();
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    on(signal, () => {
      if (stoppingSinceMs !== undefined) {
        if (nowMs() - stoppingSinceMs > sameWishMs) exit(1);
        return;
      }
      stoppingSinceMs = nowMs();
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
  };
}
