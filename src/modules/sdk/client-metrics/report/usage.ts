import { sql } from 'kysely';
import type { Services } from '../../../../platform/module.ts';
import { claimBatch } from './batch-queries.ts';
import type { Batch } from './buffer.ts';
import { createBufferedUsage, type Usage } from './buffered-usage.ts';
import { storeBatch } from './store.ts';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** A feature or application was deleted meanwhile. The next try does not find it any more. */
const isGone = (error: unknown): boolean => codeOf(error) === '23503';

/** The data is at fault, not the database: classes 22 and 23 of PostgreSQL's error codes. */
const isRejected = (error: unknown): boolean => /^2[23]/.test(codeOf(error));

type Needs = Pick<Services, 'db' | 'transact' | 'system' | 'clock' | 'log' | 'settings' | 'atEnd'>;

/** The usage of a server, which stores it in the database within about a second. */
export function createUsage(services: Needs): Usage {
  const { db, transact, system, log } = services;
  /** The transaction of the last try of a batch. */
  const attempts = new WeakMap<Batch, string>();

  /** If the connection breaks during a commit, only the database knows the result. */
  async function wasStored(batch: Batch): Promise<boolean> {
    const attempt = attempts.get(batch);
    if (attempt === undefined) return false;
    const { rows } = await sql<{ status: string | null }>`
      select pg_xact_status(${attempt}::xid8) as status`.execute(db);
    const status = rows[0]?.status;
    if (status === 'in progress') throw new Error('the last attempt is still under way');
    return status === 'committed';
  }

  async function tryToStore(batch: Batch): Promise<void> {
    if (await wasStored(batch)) return;
    await transact(system, async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select pg_current_xact_id()::text as id`.execute(tx.db);
      // This is the only state outside `Tx` that is changed here. A retry after a deadlock overwrites it, and the
      // overwritten transaction was rolled back. It must be known even if the commit gets no answer, so it cannot be
      // returned.
      if (rows[0]) attempts.set(batch, rows[0].id);
      if (batch.id === undefined || (await claimBatch(tx, batch.id)))
        await storeBatch(tx, batch, log);
    });
  }

  const store = (batch: Batch): Promise<void> =>
    tryToStore(batch).catch((error) => {
      if (isGone(error)) return tryToStore(batch);
      throw error;
    });

  return createBufferedUsage(services, {
    ...{ store, isRejected },
    storesBeforeAnswering: true,
    flushAfterMs: 1_000,
    retryAfterMs: 2_000,
  });
}
