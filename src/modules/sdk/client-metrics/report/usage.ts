import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { dayMs, hourMs } from '../../../../platform/clock.ts';
import { logRetry } from '../../../../platform/db/outage.ts';
import { unavailable } from '../../../../platform/errors.ts';
import type { Services } from '../../../../platform/module.ts';
import { createSingleFlight } from '../../../../platform/single-flight.ts';
import type { EvaluationScope } from '../../snapshot/index.ts';
import { hourOf, plausibleInstant } from '../moment.ts';
import { type Batch, createBuffer } from './buffer.ts';
import type { ClientMetrics, ClientRegistration, CountedHour } from './contract.ts';
import { storeBatch } from './store.ts';

/** What a proxy tells, each with what it reaches. */
interface Bulk {
  readonly applications: readonly (readonly [EvaluationScope, ClientRegistration])[];
  readonly metrics: readonly (readonly [EvaluationScope, CountedHour])[];
}

/** Where something was told. */
interface From {
  /** Null where it is that of a person, or nobody's: it is not kept. */
  readonly ip: string | null;
  /** Whether with a token that is in everybody's hands. */
  readonly isPublic?: boolean;
}

/** What programs that evaluate tell: taken at once, stored within about a second. */
export interface Usage {
  readonly register: (scope: EvaluationScope, told: ClientRegistration, from: From) => void;
  /** Each throws a 503 when too much waits to be stored; then nothing was counted. */
  readonly addMetrics: (
    scope: EvaluationScope,
    metrics: ClientMetrics,
    from?: Pick<From, 'isPublic'>,
  ) => void;
  readonly addInBulk: (told: Bulk, from: From) => void;
  /** How much waits to be stored: counts, variants and instances. */
  readonly waiting: () => number;
  /** Stores what was told up to now; rejects when that failed, and then it is tried again by itself. */
  readonly flush: () => Promise<void>;
}

declare module '../../../../platform/module.ts' {
  interface Services {
    /** One for all modules of a server: what it takes waits in one buffer. */
    readonly usage: Usage;
  }
}

const flushAfterMs = 1_000;
const retryAfterMs = 2_000;
/** So much is not kept waiting for its second. */
const flushAtSize = 20_000;
/** So many counts are stored by one transaction: nobody waits long for what it locks, nor for the thread. */
const batchSize = 2_000;
/** More is refused, so that it waits in the SDKs: they keep what was answered with 503. About 100 MB. */
const maxSize = 300_000;
/** What the database refuses for what it is would be refused for ever, and everything behind it would wait. */
const maxRefusals = 5;
/** A database that is being restarted is back in a moment; nobody waits for a stop for long. */
const lastPausesMs = [200, 1_000, 3_000];
const lastPatienceMs = 10_000;

type Needs = Pick<Services, 'db' | 'transact' | 'system' | 'clock' | 'log' | 'settings' | 'atEnd'>;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** A feature or an application that was there a moment ago is not any more: a second look does not find it. */
const isGone = (error: unknown): boolean => codeOf(error) === '23503';

/** Not the database is at fault but what it is given: classes 22 and 23 of PostgreSQL's errors. */
const isRefusal = (error: unknown): boolean => /^2[23]/.test(codeOf(error));

export function createUsage(services: Needs): Usage {
  const { db, transact, system, clock, log, settings, atEnd } = services;
  const retentionMs = settings.metricsRetentionDays * dayMs;
  const buffer = createBuffer();
  /** Taken out of the buffer and not stored yet: as it is, so that it cannot be stored twice. */
  let unstored: Batch[] = [];
  /** The transaction in which the first of them was last tried. */
  let attempt: string | undefined;
  /** How often the first of them was refused. */
  let refusals = 0;
  const flushes = createSingleFlight<'flush', void>();
  let isFlushing = false;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  const sizeOf = () => unstored.reduce((sum, { size }) => sum + size, buffer.size());

  /** When a connection is lost with the answer to a commit, only the database knows how it ended. */
  async function wasStored(): Promise<boolean> {
    if (attempt === undefined) return false;
    const { rows } = await sql<{ status: string | null }>`
      select pg_xact_status(${attempt}::xid8) as status`.execute(db);
    const status = rows[0]?.status;
    if (status === 'in progress') throw new Error('the last attempt is still under way');
    return status === 'committed';
  }

  async function tryToStore(batch: Batch): Promise<void> {
    if (await wasStored()) return;
    await transact(system, async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select pg_current_xact_id()::text as id`.execute(tx.db);
      // The one thing outside its `Tx` that this touches: each repetition after a deadlock overwrites it, and what it
      // overwrites was rolled back. It has to be known when the commit is not answered, and so cannot be returned.
      attempt = rows[0]?.id;
      await storeBatch(tx, batch, log);
    });
  }

  async function storeOrDrop(batch: Batch): Promise<void> {
    try {
      await tryToStore(batch).catch((error) => {
        if (isGone(error)) return tryToStore(batch);
        throw error;
      });
    } catch (error) {
      if (isRefusal(error)) refusals += 1;
      if (refusals < maxRefusals) throw error;
      log.error({ err: error, lost: batch.size }, 'usage that cannot be stored was dropped');
    }
  }

  async function storeUnstored(): Promise<void> {
    for (let batch = unstored[0]; batch; batch = unstored[0]) {
      await storeOrDrop(batch);
      unstored.shift();
      attempt = undefined;
      refusals = 0;
    }
  }

  async function storeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isFlushing = true;
    try {
      await storeUnstored();
      unstored = buffer.takeAll(batchSize);
      await storeUnstored();
    } finally {
      isFlushing = false;
      if (sizeOf() > 0) schedule(unstored.length > 0 ? retryAfterMs : flushAfterMs);
    }
  }

  /** One at a time. What is reported while one is under way is stored by the next. */
  const flush = (): Promise<void> => flushes.joinNext('flush', storeAll);

  const flushInBackground = () =>
    void flush().catch((error) =>
      logRetry(log, error, 'usage could not be stored, trying again', {
        level: 'warn',
        waiting: sizeOf(),
      }),
    );

  function schedule(afterMs: number): void {
    if (ended || timer) return;
    timer = setTimeout(flushInBackground, afterMs).unref();
  }

  function admit(): void {
    if (sizeOf() >= maxSize) {
      throw unavailable('More usage waits to be stored than there is room for: send it again');
    }
  }

  function arrange(): void {
    if (isFlushing) return;
    // What failed has its own time.
    if (buffer.size() >= flushAtSize && unstored.length === 0) flushInBackground();
    else schedule(flushAfterMs);
  }

  function hear(
    scope: EvaluationScope,
    told: ClientRegistration,
    { ip, isPublic = false }: From,
  ): void {
    buffer.addInstanceReport({
      scope,
      isPublic,
      appName: told.appName,
      instanceId: told.instanceId || 'default',
      sdkVersion: told.sdkVersion || null,
      sdkType: told.sdkType || null,
      specVersion: told.specVersion || null,
      strategies: told.strategies ?? null,
      ip,
    });
  }

  atEnd(async () => {
    ended = true;
    clearTimeout(timer);
    const patience = AbortSignal.timeout(lastPatienceMs);
    for (const pauseMs of [...lastPausesMs, undefined]) {
      try {
        return await flush();
      } catch (error) {
        if (pauseMs === undefined || patience.aborted) {
          log.error({ err: error, lost: sizeOf() }, 'usage could not be stored before the end');
          return;
        }
        await pause(pauseMs);
      }
    }
  });

  return {
    register(scope, registration, from) {
      admit();
      hear(scope, registration, from);
      arrange();
    },

    addMetrics(scope, { appName, instanceId, bucket }, { isPublic = false } = {}) {
      admit();
      hear(scope, { appName, instanceId: instanceId ?? null }, { ip: null, isPublic });
      if (bucket) {
        const seenMs = plausibleInstant(bucket.stop, clock().getTime(), retentionMs);
        const where = { scope, appName, isPublic, hourMs: hourOf(seenMs) };
        for (const [feature, counted] of Object.entries(bucket.toggles)) {
          buffer.count(where, feature, counted, seenMs);
        }
      }
      arrange();
    },

    addInBulk({ applications, metrics }, from) {
      admit();
      for (const [scope, registration] of applications) hear(scope, registration, from);
      const nowMs = clock().getTime();
      for (const [scope, { appName, featureName, timestamp, ...counted }] of metrics) {
        const hour = hourOf(plausibleInstant(timestamp, nowMs, retentionMs));
        const where = { scope, appName, isPublic: from.isPublic ?? false, hourMs: hour };
        // A proxy says of an hour when it began: what it added up may be as young as its end.
        buffer.count(where, featureName, counted, Math.min(hour + hourMs, nowMs));
      }
      arrange();
    },

    waiting: sizeOf,
    flush,
  };
}
