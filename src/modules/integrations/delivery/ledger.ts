import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Trouble } from '../tables.ts';
import {
  clearTrouble,
  type Finished,
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
  /** After each writing: there may be room for more. */
  readonly onWritten: () => void;
}

const batchSize = 200;
const patience = 5;

/**
 * Writes down what became of attempts. What ends while a batch is being written goes with the next one, so
 * that a thousand a second cost the database a hundred statements.
 */
export function createLedger({ db, owner, log, onGone, onWritten }: LedgerOptions) {
  const waiting: Entry[] = [];
  let writing: Promise<void> | undefined;

  async function write(batch: readonly Entry[]): Promise<void> {
    const written = await updateFinished(db, owner, batch);
    const own = batch.filter(({ id }) => written.has(id));
    const told = new Set(
      own.filter(({ outcome }) => outcome !== 'failed').map((entry) => entry.integrationId),
    );
    if (told.size > 0) await clearTrouble(db, [...told]);
    for (const { integrationId, holdUntil, state, gone, ...entry } of own) {
      if (holdUntil) await updateHeld(db, integrationId, holdUntil);
      if (state !== 'given up') continue;
      log.warn({ integration: integrationId, record: entry.id }, 'a delivery was given up');
      const trouble: Trouble = {
        at: entry.attemptedAt.toISOString(),
        recordId: entry.id,
        message: entry.stateDetails,
      };
      if (gone) await onGone(integrationId, trouble);
      else await updateTrouble(db, integrationId, trouble);
    }
  }

  /** While the database is away nothing is known to be lost: what nobody wrote down is sent again. */
  async function writeSoon(batch: readonly Entry[]): Promise<void> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await write(batch);
      } catch (error) {
        if (attempts === patience) {
          log.error({ err: error }, 'what became of deliveries could not be written down');
          return;
        }
        await delay(100 * 2 ** attempts);
      }
    }
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      await writeSoon(waiting.splice(0, batchSize));
      onWritten();
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
