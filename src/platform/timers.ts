import { type Kysely, sql } from 'kysely';
import { dayMs } from './clock.ts';
import type { Database } from './db/database.ts';
import { logRetry } from './db/outage.ts';
import type { Logger } from './log.ts';

export interface PeriodicWork {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

interface TimersTable {
  name: string;
  due_at: Date;
}

declare module './db/database.ts' {
  interface Database {
    timers: TimersTable;
  }
}

/**
 * A due time is at most one period ahead. A later one was set by a clock that has been set back since, and counts as
 * due: otherwise the work would pause for as long as the clock was ahead. A minute of tolerance keeps small clock
 * corrections from running the work twice.
 */
const slackMs = 60_000;
/** setTimeout takes at most 24.8 days, and fires at once for anything longer. */
const longestWaitMs = dayMs;

/**
 * Returns whether this instance runs the work now, and when to check again. The row stores the due time: the instance
 * that advances it runs the work, and one that dies while running delays the work by one period. The database's clock
 * decides, because clocks of instances differ.
 */
export async function takeTurn(db: Kysely<Database>, { name, everyMs }: PeriodicWork) {
  const { rows } = await sql<{ acquired: boolean; waitMs: number }>`
    with turn as (
      insert into timers as t (name, due_at)
      values (${name}, clock_timestamp() + ${everyMs}::float8 * interval '1 millisecond')
      on conflict (name) do update set due_at = excluded.due_at
      where t.due_at <= clock_timestamp()
        or t.due_at > clock_timestamp() + ${everyMs + slackMs}::float8 * interval '1 millisecond'
      returning 1
    )
    select exists (select from turn) as acquired,
      1000 * extract(epoch from (select due_at from timers where name = ${name}) - clock_timestamp())::float8
        as "waitMs"`.execute(db);
  const { acquired, waitMs } = rows[0] as (typeof rows)[number];
  // The statement sees the due time that it found, not the one that it set.
  const leftMs = acquired || waitMs === null ? everyMs : Math.max(waitMs, 0);
  return { acquired, waitMs: Math.min(leftMs, everyMs, longestWaitMs) };
}

/** Receives the outcome of work that this instance ran. */
export interface TimerWatch {
  readonly done: (work: string) => void;
  readonly failed: (work: string) => void;
}

const nobody: TimerWatch = { done: () => undefined, failed: () => undefined };

/** Starts all periodic work. Each piece runs on one instance per period. Returns a function that stops it. */
export function startTimers(
  db: Kysely<Database>,
  works: readonly PeriodicWork[],
  log: Logger,
  watch: TimerWatch = nobody,
): () => Promise<void> {
  let stopped = false;
  const waiting = new Map<PeriodicWork, NodeJS.Timeout>();
  const running = new Map<PeriodicWork, Promise<void>>();

  async function turn(work: PeriodicWork): Promise<void> {
    let waitMs = work.everyMs;
    try {
      const { acquired, waitMs: left } = await takeTurn(db, work);
      waitMs = left;
      if (acquired && !stopped) {
        await work.run();
        watch.done(work.name);
      }
    } catch (error) {
      if (!stopped) {
        watch.failed(work.name);
        logRetry(log, error, 'periodic work failed', { work: work.name });
      }
    }
    if (!stopped) schedule(work, waitMs);
  }

  function schedule(work: PeriodicWork, waitMs: number): void {
    // Slightly late, so that the due time has certainly passed.
    const timer = setTimeout(() => running.set(work, turn(work)), waitMs + 20);
    timer.unref();
    waiting.set(work, timer);
  }

  for (const work of works) schedule(work, 0);
  return async () => {
    stopped = true;
    for (const timer of waiting.values()) clearTimeout(timer);
    await Promise.allSettled(running.values());
  };
}
