import type { Logger } from '../log.ts';

/** The code of an error of the system or of PostgreSQL; empty where it has none. */
export const errorCodeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** Not the error itself: the driver hangs the whole connection on it, with the key that cancels its statements. */
export const lossOf = (error: unknown) => ({
  code: errorCodeOf(error) || undefined,
  reason: error instanceof Error ? error.message : String(error),
});

/** The database is away, restarting, full, or out of connections: nothing is wrong with what was asked. */
export const isOutage = (error: unknown): boolean => {
  const code = errorCodeOf(error);
  return (
    /^(08|53|57P)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '55P03'].includes(code) ||
    (code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect') ||
    (error instanceof Error &&
      /Connection terminated|not queryable|timeout exceeded when trying|timeout expired|Query read timeout|accepting connections/.test(
        error.message,
      ))
  );
};

/**
 * Tells of work that failed and will be tried again. While the database is away it fails every second: that the
 * database is away is said once, by whoever listens to it.
 */
export function logRetry(
  log: Logger,
  error: unknown,
  message: string,
  {
    level = 'error',
    ...fields
  }: { readonly level?: 'warn' | 'error'; readonly [key: string]: unknown } = {},
): void {
  if (isOutage(error)) log.debug({ ...fields, ...lossOf(error) }, message);
  else log[level]({ ...fields, err: error }, message);
}

/** Lets those go on who know what was true a moment ago, while the database cannot say what is true now. */
export interface OutageWatch {
  /**
   * What a look into the database finds. While the database is away: what is remembered instead. Where nothing
   * is, the outage is thrown.
   */
  readonly ask: <Value>(
    look: () => Promise<Value>,
    remembered: () => Value | undefined,
  ) => Promise<Value>;
  /** Something was heard from the database: whoever asks next looks. */
  readonly lookAgain: () => void;
  /** Whether what is told now is what is remembered. */
  readonly isAway: () => boolean;
}

interface OutageWatchOptions {
  /** Which failures are an outage. */
  readonly covers?: (error: unknown) => boolean;
  /** Called when an outage begins, with its reason, and without one when it is over. */
  readonly onChange?: (reason?: unknown) => void;
  /** A look that takes longer than this is not waited for, where something is remembered. */
  readonly patienceMs?: number;
}

/** Longer than any look takes that is going to succeed: a connection that is dead but not closed never answers. */
const usualPatienceMs = 5_000;
/** During an outage one look each second finds out whether it is over; nobody else waits for that. */
const lookAgainMs = 1_000;

export function createOutageWatch({
  covers = isOutage,
  onChange = () => undefined,
  patienceMs = usualPatienceMs,
}: OutageWatchOptions = {}): OutageWatch {
  let away = false;
  let nextLookAt = 0;

  function begin(reason: unknown): void {
    nextLookAt = performance.now() + lookAgainMs;
    if (away) return;
    away = true;
    onChange(reason);
  }

  async function lookPatiently<Value>(look: () => Promise<Value>): Promise<Value> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      const give = () => reject(new Error(`no answer within ${patienceMs} ms: timeout expired`));
      timer = setTimeout(give, patienceMs);
      timer.unref();
    });
    try {
      return await Promise.race([look(), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async ask(look, remembered) {
      const before = remembered();
      if (before === undefined) return look();
      if (away) {
        if (performance.now() < nextLookAt) return before;
        // The others go on with what they know while this one looks.
        nextLookAt = performance.now() + patienceMs;
      }
      try {
        const found = await lookPatiently(look);
        if (away) {
          away = false;
          onChange();
        }
        return found;
      } catch (error) {
        if (!covers(error)) throw error;
        begin(error);
        const known = remembered();
        if (known === undefined) throw error;
        return known;
      }
    },
    lookAgain() {
      nextLookAt = 0;
    },
    isAway: () => away,
  };
}
