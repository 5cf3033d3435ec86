import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Trouble } from '../tables.ts';
import {
  clearTrouble,
  type Finished,
  listFinished,
  updateFinished,
  updateHeld,
  updateTrouble,
} from './queries/finish.ts';

/** An end of an attempt, with what it says about the integration as a whole. */
export interface Entry extends Finished {
  /** The receiver asked that nothing be sent until then. */
  readonly holdUntil?: Date;
  /** The receiver said that it is gone for good. */
  readonly gone?: true;
}

export interface LedgerOptions {
  readonly db: Kysely<Database>;
  readonly owner: number;
  readonly log: Logger;
  readonly onGone: (integrationId: number, trouble: Trouble) => Promise<void>;
  /** Of these it is written down what became of them, or it will never be. */
  readonly onDone: (entries: readonly Entry[]) => void;
}

const batchSize = 200;
/** No more often than this: a statement costs us 1 ms, whether it tells of one attempt or of fifty. */
const everyMs = 25;
/** A database that moves to another machine is away for half a minute. */
const patience = 10;
const longestPauseMs = 10_000;

/**
 * Writes down what became of attempts. What ends while a batch is being written goes with the next one, so
 * that a thousand a second cost the database a hundred statements.
 */
export function createLedger({ db, owner, log, onGone, onDone }: LedgerOptions) {
  const waiting: Entry[] = [];
  let writing: Promise<void> | undefined;
  let wroteAt = Number.NEGATIVE_INFINITY;

  /** While the database is away nothing is known to be lost: what nobody wrote down is sent again. */
  async function patiently<Result>(
    work: (isRepeated: boolean) => Promise<Result>,
  ): Promise<Result | undefined> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await work(attempts > 1);
      } catch (error) {
        if (attempts === patience) {
          log.error({ err: error }, 'what became of deliveries could not be written down');
          return undefined;
        }
        await delay(Math.min(longestPauseMs, 100 * 2 ** attempts));
      }
    }
  }

  /** What an attempt says about the integration as a whole. */
  async function conclude({ integrationId, holdUntil, gone, ...entry }: Entry): Promise<void> {
    if (holdUntil) await updateHeld(db, integrationId, holdUntil);
    if (entry.state === 'delivered' && entry.failedBefore) {
      await clearTrouble(db, integrationId, entry.id);
    }
    if (entry.state !== 'givenUp') return;
    log.warn({ integration: integrationId, record: entry.id }, 'a delivery was given up');
    const trouble: Trouble = {
      at: entry.attemptedAt.toISOString(),
      recordId: entry.id,
      message: entry.stateDetails,
    };
    if (gone) await onGone(integrationId, trouble);
    else await updateTrouble(db, integrationId, trouble);
  }

  /** Apart from each other: that the first was done must not keep a repetition from doing the rest. */
  async function write(batch: readonly Entry[]): Promise<void> {
    const written = await patiently(async (isRepeated) => {
      const ids = await updateFinished(db, owner, batch);
      // The first time may have been committed although its answer was lost: then nothing was left to write.
      return isRepeated ? new Set([...ids, ...(await listFinished(db, batch))]) : ids;
    });
    for (const entry of batch) {
      if (written?.has(entry.id)) await patiently(() => conclude(entry));
    }
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const earlyMs = wroteAt + everyMs - performance.now();
      if (earlyMs > 0) await delay(earlyMs);
      wroteAt = performance.now();
      const batch = waiting.splice(0, batchSize);
      await write(batch);
      onDone(batch);
    }
    writing = undefined;
  }

  return {
    add(entry: Entry): void {
      waiting.push(entry);
      writing ??= writeAll();
    },
    /** When everything that was added is written. */
    settled: async (): Promise<void> => writing,
  };
}
