import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, dayMs, hourMs } from '../../../../platform/clock.ts';
import { logRetry } from '../../../../platform/db/outage.ts';
import { unavailable } from '../../../../platform/errors.ts';
import type { Services } from '../../../../platform/module.ts';
import { createSingleFlight } from '../../../../platform/single-flight.ts';
import type { EvaluationScope } from '../../snapshot/index.ts';
import { hourOf, plausibleInstant } from '../moment.ts';
import { type Batch, type Buffer, createBuffer } from './buffer.ts';
import type { ClientMetrics, ClientRegistration, CountedHour } from './contract.ts';

/** A report of a proxy, each part with its scope. */
interface BulkReport {
  readonly applications: readonly (readonly [EvaluationScope, ClientRegistration])[];
  readonly metrics: readonly (readonly [EvaluationScope, CountedHour])[];
}

/** The origin of a report. */
interface ReportOrigin {
  /** Null for the address of a person, or without one: it is not stored. */
  readonly ip: string | null;
  /** Whether it came with a public token. */
  readonly isPublic?: boolean;
}

/** Takes metrics and registrations of SDKs. */
interface Reports {
  readonly register: (
    scope: EvaluationScope,
    registration: ClientRegistration,
    from: ReportOrigin,
  ) => void;
  /** Throws 503 if too much waits to be stored. Then nothing was counted. */
  readonly addMetrics: (
    scope: EvaluationScope,
    metrics: ClientMetrics,
    from?: Pick<ReportOrigin, 'isPublic'>,
  ) => void;
  readonly addInBulk: (report: BulkReport, from: ReportOrigin) => void;
}

/** Receives metrics and registrations of SDKs. They are accepted at once and stored later, in batches. */
export interface Usage extends Reports {
  /**
   * Counts what `add` reports, unless a report with this id was counted before. Resolves when it cannot be lost any
   * more, and throws 503 if that takes longer; the sender may then repeat it.
   */
  readonly addOnce: (
    id: string,
    add: (reports: Reports) => void,
    from?: Pick<ReportOrigin, 'isPublic'>,
  ) => Promise<void>;
  /** The number of waiting counts, variants and instances. */
  readonly waiting: () => number;
  /** Stores everything received until now. Rejects on failure; a retry is already scheduled then. */
  readonly flush: () => Promise<void>;
}

declare module '../../../../platform/module.ts' {
  interface Services {
    /** One for all modules of a server: what it takes waits in one buffer. */
    readonly usage: Usage;
  }
}

/** Stores usage: a server in its database, an edge at its upstream. */
export interface UsageStorage {
  /** Stores a batch. Called again with the same batch after a failure, and must not count it twice. */
  readonly store: (batch: Batch) => Promise<void>;
  /** Whether the data is at fault, so that no later try can succeed. */
  readonly isRejected: (error: unknown) => boolean;
  /** Whether a report with an id is stored before its sender gets an answer. Otherwise it waits like the others. */
  readonly storesBeforeAnswering: boolean;
  /** How long usage is collected before it is stored. */
  readonly flushAfterMs: number;
  readonly retryAfterMs: number;
}

/** From this size on a flush starts at once. */
const flushAtSize = 20_000;
/** Counts in one batch, so that a transaction's locks and its work on this thread stay short. */
const batchSize = 2_000;
/** More is refused with 503, and SDKs send it again. About 100 MB. */
const maxSize = 300_000;
/** Anyone can invent reports with a public token. The rest of the room is for backends. */
const maxSizeForPublic = 200_000;
/** Reports with ids that wait to be stored. Each is a transaction of its own. */
const maxIdentified = 1_000;
const maxIdentifiedForPublic = 600;
/** Rejected data would block everything after it for ever, so it is dropped after this many tries. */
const maxRejections = 5;
/** A restarting database is back soon, and a stop should not take long. */
const lastPausesMs = [200, 1_000, 3_000];
const lastPatienceMs = 10_000;

const tooMuch = () => unavailable('Too much usage is waiting to be stored. Send it again later');

/** Adds reports to a buffer. */
function reportsInto(
  buffer: Buffer,
  { clock, retentionMs }: { readonly clock: Clock; readonly retentionMs: number },
): Reports {
  function addInstanceReport(
    scope: EvaluationScope,
    registration: ClientRegistration,
    { ip, isPublic = false }: ReportOrigin,
  ): void {
    buffer.addInstanceReport({
      scope,
      isPublic,
      appName: registration.appName,
      instanceId: registration.instanceId || 'default',
      sdkVersion: registration.sdkVersion || null,
      sdkType: registration.sdkType || null,
      specVersion: registration.specVersion || null,
      // An edge sends an empty list for an unknown one, because Unleash requires a list.
      strategies: registration.strategies?.length ? registration.strategies : null,
      ip,
      seenMs: clock().getTime(),
    });
  }

  return {
    register: addInstanceReport,

    addMetrics(scope, { appName, instanceId, bucket }, { isPublic = false } = {}) {
      addInstanceReport(scope, { appName, instanceId: instanceId ?? null }, { ip: null, isPublic });
      if (!bucket) return;
      const seenMs = plausibleInstant(bucket.stop, clock().getTime(), retentionMs);
      const where = { scope, appName, isPublic, hourMs: hourOf(seenMs) };
      for (const [feature, counted] of Object.entries(bucket.toggles)) {
        buffer.count(where, feature, counted, seenMs);
      }
    },

    addInBulk({ applications, metrics }, from) {
      for (const [scope, registration] of applications)
        addInstanceReport(scope, registration, from);
      const nowMs = clock().getTime();
      for (const [scope, { appName, featureName, timestamp, ...counted }] of metrics) {
        const hour = hourOf(plausibleInstant(timestamp, nowMs, retentionMs));
        const where = { scope, appName, isPublic: from.isPublic ?? false, hourMs: hour };
        // A proxy sends the start of an hour. Its counts may be as recent as the end.
        buffer.count(where, featureName, counted, Math.min(hour + hourMs, nowMs));
      }
    },
  };
}

type Needs = Pick<Services, 'clock' | 'log' | 'atEnd'> & {
  readonly settings: Pick<Services['settings'], 'metricsRetentionDays'>;
};

export function createBufferedUsage(
  { clock, log, settings, atEnd }: Needs,
  { store, isRejected, storesBeforeAnswering, flushAfterMs, retryAfterMs }: UsageStorage,
): Usage {
  const retentionMs = settings.metricsRetentionDays * dayMs;
  const buffer = createBuffer();
  /** Reports with ids that are not taken yet, and the ids of all that are not stored yet. */
  let identified: Batch[] = [];
  const waitingIds = new Set<string>();
  /** Taken from the buffer and not stored yet. Batches stay unchanged, so that none is stored twice. */
  let unstored: Batch[] = [];
  /** The size of both, because each report asks for it. */
  let takenSize = 0;
  /** How often the first batch was rejected. */
  let rejections = 0;
  const flushes = createSingleFlight<'flush', void>();
  let isFlushing = false;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  const sizeOf = () => takenSize + buffer.size();

  async function storeOrDrop(batch: Batch): Promise<void> {
    try {
      await store(batch);
    } catch (error) {
      if (isRejected(error)) rejections += 1;
      if (rejections < maxRejections) throw error;
      log.error({ err: error, lost: batch.size }, 'usage that cannot be stored was dropped');
    }
  }

  async function storeUnstored(): Promise<void> {
    for (let batch = unstored[0]; batch; batch = unstored[0]) {
      await storeOrDrop(batch);
      unstored.shift();
      takenSize -= batch.size;
      if (batch.id !== undefined) waitingIds.delete(batch.id);
      rejections = 0;
    }
  }

  async function storeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isFlushing = true;
    try {
      await storeUnstored();
      const collected = buffer.takeAll(batchSize);
      takenSize += collected.reduce((sum, { size }) => sum + size, 0);
      unstored = [...collected, ...identified];
      identified = [];
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

  function refuseWhenFull(isPublic = false): void {
    if (sizeOf() >= (isPublic ? maxSizeForPublic : maxSize)) throw tooMuch();
  }

  function scheduleFlush(): void {
    if (isFlushing) return;
    // Failed batches have a retry of their own.
    if (buffer.size() >= flushAtSize && unstored.length === 0) flushInBackground();
    else schedule(flushAfterMs);
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

  const reports = reportsInto(buffer, { clock, retentionMs });

  function accept(isPublic: boolean | undefined, add: () => void): void {
    refuseWhenFull(isPublic);
    add();
    scheduleFlush();
  }

  function keep(id: string, add: (into: Reports) => void, isPublic = false): void {
    refuseWhenFull(isPublic);
    if (waitingIds.size >= (isPublic ? maxIdentifiedForPublic : maxIdentified)) throw tooMuch();
    const own = createBuffer();
    add(reportsInto(own, { clock, retentionMs }));
    const [batch = { reports: [], instances: [], size: 0 }] = own.takeAll(Number.POSITIVE_INFINITY);
    const size = Math.max(1, batch.size);
    identified.push({ ...batch, id, size });
    takenSize += size;
    waitingIds.add(id);
    scheduleFlush();
  }

  return {
    register: (...report) => accept(report[2].isPublic, () => reports.register(...report)),
    addMetrics: (...report) => accept(report[2]?.isPublic, () => reports.addMetrics(...report)),
    addInBulk: (...report) => accept(report[1].isPublic, () => reports.addInBulk(...report)),

    async addOnce(written, add, { isPublic } = {}) {
      const id = written.toLowerCase();
      if (!waitingIds.has(id)) keep(id, add, isPublic);
      if (!storesBeforeAnswering) return;
      // A failure may be that of another batch.
      await flush().catch(() => undefined);
      if (waitingIds.has(id)) {
        throw unavailable('The report is not stored yet. Send it again with the same batchId');
      }
    },

    waiting: sizeOf,
    flush,
  };
}
