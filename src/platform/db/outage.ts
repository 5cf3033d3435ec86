import { type Deadline, startDeadline } from '../deadline.ts';
import type { Logger } from '../log.ts';

/** Returns the code of a system or PostgreSQL error, or an empty string. */
export const errorCodeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/**
 * Returns the loggable part of an error. The driver attaches the whole connection to it, with the key that cancels its
 * statements.
 */
export const loggableError = (error: unknown) => ({
  code: errorCodeOf(error) || undefined,
  reason: error instanceof Error ? error.message : String(error),
});

/**
 * Returns whether the database is unavailable, restarting, full, or out of connections. The request itself is then
 * valid.
 */
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
 * Returns why the database, which responds, could not do the work now: a lock that others hold, or connections that are
 * all in use. Undefined for other errors. The driver has no code for a pool without a free connection.
 */
export function busyReason(error: unknown): string | undefined {
  if (errorCodeOf(error) === '55P03') return "another change to the same data hasn't finished";
  if (error instanceof Error && error.message === 'timeout exceeded when trying to connect') {
    return 'no connection to the database became free within 10 seconds';
  }
  return undefined;
}

/**
 * Logs failed work that will be retried. During an outage it fails every second, so outages are logged at debug level
 * here: the listener reports each once.
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
  if (isOutage(error)) log.debug({ ...fields, ...loggableError(error) }, message);
  else log[level]({ ...fields, err: error }, message);
}

/** Open for a second after a request timed out on the database, so that other requests do not wait for it as well. */
export interface DatabaseBreaker {
  readonly trip: () => void;
  readonly isOpen: () => boolean;
}

/** Longer than any successful read takes. A dead connection that was not closed never answers. */
export const usualPatienceMs = 5_000;
/** During an outage, one read per second tests whether it is over. No request waits for it. */
const lookAgainMs = 1_000;

export function createDatabaseBreaker(): DatabaseBreaker {
  let untilMs = Number.NEGATIVE_INFINITY;
  return {
    trip() {
      untilMs = performance.now() + lookAgainMs;
    },
    isOpen: () => performance.now() < untilMs,
  };
}

const silent = (message: string) => Object.assign(new Error(message), { code: 'ETIMEDOUT' });

/** Returns the result of the work, or fails with the code ETIMEDOUT if it takes too long. */
export async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let deadline: Deadline | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    deadline = startDeadline(ms, () => reject(silent(`no response within ${ms} ms`)));
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    deadline?.clear();
  }
}

/** Serves cached values while the database is unavailable. */
export interface OutageWatch {
  /**
   * Returns what `look` reads. During an outage, returns the cached value at once, or throws the outage if there is
   * none.
   */
  readonly ask: <Value>(
    look: () => Promise<Value>,
    remembered: () => Value | undefined,
  ) => Promise<Value>;
  /** The database has responded: the next caller reads again and waits for the result. */
  readonly lookAgain: () => void;
  /** Whether cached values are being served. */
  readonly isAway: () => boolean;
}

interface OutageWatchOptions {
  /** Decides which errors count as an outage. */
  readonly covers?: (error: unknown) => boolean;
  /** Called with the reason when an outage begins, and without one when it ends. */
  readonly onChange?: (reason?: unknown) => void;
  /** How long to wait for a read if there is a cached value. */
  readonly patienceMs?: number;
  /** Shared by all watches of the same database. */
  readonly breaker?: DatabaseBreaker;
}

export function createOutageWatch({
  covers = isOutage,
  onChange = () => undefined,
  patienceMs = usualPatienceMs,
  breaker = createDatabaseBreaker(),
}: OutageWatchOptions = {}): OutageWatch {
  let away = false;
  let wasHeard = false;
  let nextLookAt = 0;

  function begin(reason: unknown): void {
    nextLookAt = performance.now() + lookAgainMs;
    wasHeard = false;
    if (errorCodeOf(reason) === 'ETIMEDOUT') breaker.trip();
    if (away) return;
    away = true;
    onChange(reason);
  }

  function end(): void {
    if (!away) return;
    away = false;
    onChange();
  }

  /** Reads without making the caller wait. The read caches its own result for later callers. */
  function lookInPassing(look: () => Promise<unknown>): void {
    if (performance.now() < nextLookAt) return;
    nextLookAt = performance.now() + patienceMs;
    within(patienceMs, look()).then(end, (error: unknown) => {
      // Any other error means that the database answers: the next caller reads again and receives the error.
      if (covers(error)) begin(error);
      else wasHeard = true;
    });
  }

  return {
    async ask(look, remembered) {
      const before = remembered();
      if (before === undefined) return look();
      if (!away && breaker.isOpen())
        begin(new Error("the database didn't respond to another request"));
      if (away && !wasHeard) {
        lookInPassing(look);
        return before;
      }
      try {
        const found = await within(patienceMs, look());
        end();
        return found;
      } catch (error) {
        if (!covers(error)) throw error;
        begin(error);
        const cached = remembered();
        if (cached === undefined) throw error;
        return cached;
      }
    },
    lookAgain() {
      wasHeard = true;
    },
    isAway: () => away,
  };
}
