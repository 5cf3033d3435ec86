import { type Kysely, sql } from 'kysely';
import type { Database } from './db/database.ts';
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
 * Whether this instance is the one that runs the work now. The row is the appointment: whoever
 * moves it on has the turn, and an instance that dies in its turn delays the work by one period.
 * The database's clock decides, because instances' clocks differ.
 */
async function takesTurn(db: Kysely<Database>, { name, everyMs }: PeriodicWork): Promise<boolean> {
  const result = await sql`
    insert into timers as t (name, due_at)
    values (${name}, clock_timestamp() + ${everyMs}::float8 * interval '1 millisecond')
    on conflict (name) do update set due_at = excluded.due_at
    where t.due_at <= clock_timestamp()
    returning 1`.execute(db);
  return result.rows.length === 1;
}

/** Starts all periodic work: each piece runs on one instance per period. Returns the stop. */
export function startTimers(
  db: Kysely<Database>,
  works: readonly PeriodicWork[],
  log: Logger,
): () => Promise<void> {
  let stopped = false;
  const running = new Set<Promise<void>>();
  const timers = works.map((work) => {
    let busy = false;
    const tick = async () => {
      if (busy || stopped) return;
      busy = true;
      try {
        if (await takesTurn(db, work)) await work.run();
      } catch (error) {
        if (!stopped) log.error({ err: error, work: work.name }, 'periodic work failed');
      } finally {
        busy = false;
      }
    };
    // Looking twice a period keeps the delay after another instance's death under half of one.
    const timer = setInterval(
      () => {
        const turn = tick().finally(() => running.delete(turn));
        running.add(turn);
      },
      Math.max(work.everyMs / 2, 250),
    );
    timer.unref();
    return timer;
  });
  return async () => {
    stopped = true;
    for (const timer of timers) clearInterval(timer);
    await Promise.allSettled(running);
  };
}
