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

/** Set after a request timed out on the database, so that others do not wait for it too. */
export interface Silence {
  readonly begin: () => void;
  readonly isOn: () => boolean;
}

/** Longer than any look takes that is going to succeed: a connection that is dead but not closed never answers. */
export const usualPatienceMs = 5_000;
/** During an outage one look each second finds out whether it is over; nobody waits for that. */
const lookAgainMs = 1_000;

export function createSilence(): Silence {
  let untilMs = Number.NEGATIVE_INFINITY;
  return {
    begin() {
      untilMs = performance.now() + lookAgainMs;
    },
    isOn: () => performance.now() < untilMs,
  };
}

const silent = (message: string) => Object.assign(new Error(message), { code: 'ETIMEDOUT' });

/** The result of the work, or a failure with the code ETIMEDOUT if it takes too long. */
export async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const give = () => reject(silent(`no answer within ${ms} ms`));
    timer = setTimeout(give, ms);
    timer.unref();
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Answers from the last known value while the database is away. */
export interface OutageWatch {
  /**
   * What a look into the database finds. While the database is away: what is remembered instead, at once. Where
   * nothing is, the outage is thrown.
   */
  readonly ask: <Value>(
    look: () => Promise<Value>,
    remembered: () => Value | undefined,
  ) => Promise<Value>;
  /** Something was heard from the database: whoever asks next looks, and waits for it. */
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
  /** Shared with others who ask the same database. */
  readonly silence?: Silence;
}

export function createOutageWatch({
  covers = isOutage,
  onChange = () => undefined,
  patienceMs = usualPatienceMs,
  silence = createSilence(),
}: OutageWatchOptions = {}): OutageWatch {
  let away = false;
  let wasHeard = false;
  let nextLookAt = 0;

  function begin(reason: unknown): void {
    nextLookAt = performance.now() + lookAgainMs;
    wasHeard = false;
    if (errorCodeOf(reason) === 'ETIMEDOUT') silence.begin();
    if (away) return;
    away = true;
    onChange(reason);
  }

  function end(): void {
    if (!away) return;
    away = false;
    onChange();
  }

  /** What is found is remembered by the look itself, and told to those who ask next. */
  function lookInPassing(look: () => Promise<unknown>): void {
    if (performance.now() < nextLookAt) return;
    nextLookAt = performance.now() + patienceMs;
    within(patienceMs, look()).then(end, (error: unknown) => {
      // What is no outage is thrown to the one who asks next.
      if (covers(error)) begin(error);
      else wasHeard = true;
    });
  }

  return {
    async ask(look, remembered) {
      const before = remembered();
      if (before === undefined) return look();
      if (!away && silence.isOn()) begin(new Error('the database did not answer somebody else'));
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
        const known = remembered();
        if (known === undefined) throw error;
        return known;
      }
    },
    lookAgain() {
      wasHeard = true;
    },
    isAway: () => away,
  };
}
