import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log.ts';
import type { IntegrationProblem } from '../tables.ts';
import {
  type AttemptOutcome,
  clearTrouble,
  listWrittenOutcomes,
  updateHoldUntil,
  updateOutcomes,
  updateTrouble,
} from './queries/finish.ts';

/** The outcome of an attempt, with what it means for the whole integration. */
export interface LedgerEntry extends AttemptOutcome {
  /** The receiver asked to send nothing until then. */
  readonly holdUntil?: Date;
  /** The receiver answered that it is gone for good. */
  readonly gone?: true;
}

export interface LedgerOptions {
  readonly db: Kysely<Database>;
  readonly owner: number;
  readonly log: Logger;
  readonly onGone: (integrationId: number, trouble: IntegrationProblem) => Promise<void>;
  /** Called when these entries are stored, or when storing them failed for good. */
  readonly onWritten: (entries: readonly LedgerEntry[]) => void;
}

const batchSize = 200;
/** The pause between two statements. A statement takes 1 ms, for one attempt as for fifty. */
const minIntervalMs = 25;
/** A database that moves to another machine is away for half a minute. */
const maxTries = 10;
const longestPauseMs = 10_000;

/**
 * Stores the outcomes of attempts in batches. Outcomes that arrive during a write go into the next batch, so a
 * thousand a second cost the database a hundred statements.
 */
export function createLedger({ db, owner, log, onGone, onWritten }: LedgerOptions) {
  const unwritten: LedgerEntry[] = [];
  let writing: Promise<void> | undefined;
  let wroteAt = Number.NEGATIVE_INFINITY;

  /**
   * Retries while the database is away. Nothing is lost if it gives up: a delivery without an outcome is sent again.
   */
  async function retryWhileDatabaseIsAway<Result>(
    work: (isRepeated: boolean) => Promise<Result>,
  ): Promise<Result | undefined> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await work(attempts > 1);
      } catch (error) {
        if (attempts === maxTries) {
          log.error({ err: error }, 'could not store delivery outcomes');
          return undefined;
        }
        await delay(Math.min(longestPauseMs, 100 * 2 ** attempts));
      }
    }
  }

  /** Stores what an attempt means for the whole integration. */
  async function updateIntegration({
    integrationId,
    holdUntil,
    gone,
    ...entry
  }: LedgerEntry): Promise<void> {
    if (holdUntil) await updateHoldUntil(db, integrationId, holdUntil);
    if (entry.state === 'delivered' && entry.failedBefore) {
      await clearTrouble(db, integrationId, entry.id);
    }
    if (entry.state !== 'givenUp') return;
    log.warn({ integration: integrationId, record: entry.id }, 'a delivery failed permanently');
    const trouble: IntegrationProblem = {
      at: entry.attemptedAt.toISOString(),
      recordId: entry.id,
      message: entry.stateDetails,
    };
    if (gone) await onGone(integrationId, trouble);
    else await updateTrouble(db, integrationId, trouble);
  }

  /** Each step is retried on its own, so that a step that succeeded is not repeated with the next one. */
  async function write(batch: readonly LedgerEntry[]): Promise<void> {
    const written = await retryWhileDatabaseIsAway(async (isRepeated) => {
      const ids = await updateOutcomes(db, owner, batch);
      // The first try may have been committed although its result was lost. Then this update finds nothing to write.
      return isRepeated ? new Set([...ids, ...(await listWrittenOutcomes(db, batch))]) : ids;
    });
    for (const entry of batch) {
      if (written?.has(entry.id)) await retryWhileDatabaseIsAway(() => updateIntegration(entry));
    }
  }

  async function writeAll(): Promise<void> {
    while (unwritten.length > 0) {
      const earlyMs = wroteAt + minIntervalMs - performance.now();
      if (earlyMs > 0) await delay(earlyMs);
      wroteAt = performance.now();
      const batch = unwritten.splice(0, batchSize);
      await write(batch);
      onWritten(batch);
    }
    writing = undefined;
  }

  return {
    add(entry: LedgerEntry): void {
      unwritten.push(entry);
      writing ??= writeAll();
    },
    /** Resolves when all entries are stored. */
    settled: async (): Promise<void> => writing,
  };
}
