import { randomUUID } from 'node:crypto';
import { type Batch, createBuffer } from '../../modules/sdk/client-metrics/report/buffer.ts';
import { unavailable } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { createSingleFlight } from '../../platform/single-flight.ts';
import type { Scope } from '../hub/scopes.ts';
import { type StateStore, sealed, unsealed } from '../state/state.ts';
import { type Upstream, upstreamFailed } from '../upstream/requests.ts';
import { type BulkBody, scopedUsage } from './bulk.ts';

/** More is refused, and SDKs send it again. About 100 MB, or days of usage: it is summed by hour. */
const maxSize = 300_000;
const batchSize = 2_000;
/** A repetition comes within minutes. */
const mostTaken = 10_000;
/** What the upstream rejects would block everything after it for ever. */
const maxRejections = 5;
/** How often waiting usage is stored. A kill loses at most this much. */
const storeEveryMs = 5_000;

interface Outgoing {
  readonly scope: Scope;
  readonly body: BulkBody;
  rejections: number;
}

export interface Outbox {
  /** Takes usage. It is summed with what waits, and sent later. Throws 503 if too much waits. */
  readonly add: (batch: Batch) => void;
  /** Sends what waits. Resolves also if the upstream is away. */
  readonly send: () => Promise<void>;
  readonly waiting: () => number;
  /** Reads what an earlier process left. */
  readonly restore: () => Promise<void>;
  /** Sends and stores everything for the last time. */
  readonly close: () => Promise<void>;
  /** Ends without sending or storing anything. */
  readonly abandon: () => void;
}

interface OutboxOptions {
  readonly upstream: Pick<Upstream, 'post'>;
  /** The token with which usage of a scope is sent; undefined if none is known now. */
  readonly findToken: (scope: Scope) => string | undefined;
  readonly store: StateStore | undefined;
  readonly sender: { readonly appName: string; readonly instanceId: string };
  readonly log: Logger;
  /** Told how long each request took. */
  readonly onSent?: (ms: number) => void;
}

/** JSON has no maps. */
const writtenBatch = ({ reports, instances, size }: Batch) => ({
  size,
  instances,
  reports: reports.map(({ features, ...report }) => ({
    ...report,
    features: [...features].map(([name, { variants, ...counts }]) => ({
      ...{ name, ...counts },
      variants: variants && [...variants],
    })),
  })),
});

type Written = ReturnType<typeof writtenBatch>;

const readBatch = ({ reports, ...batch }: Written): Batch => ({
  ...batch,
  reports: reports.map(({ features, ...report }) => ({
    ...report,
    features: new Map(
      features.map(({ name, variants, ...counts }) => [
        name,
        { ...counts, variants: variants && new Map(variants) },
      ]),
    ),
  })),
});

/** Whether no later try can succeed. A token that is refused may be replaced by another one. */
const isRejected = (status: number): boolean => [400, 413, 415, 422].includes(status);

/**
 * Usage on its way to the upstream. What was sent once keeps its content and its id until the upstream has confirmed it,
 * also across restarts; everything else is summed.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const { upstream, findToken, store, sender, log } = options;
  const buffer = createBuffer();
  let outgoing: Outgoing[] = [];
  /** The ids of batches of edges behind this one, which repeat a batch whose response was lost. */
  const taken = new Set<string>();
  let isChanged = false;
  let failure: unknown;
  const sends = createSingleFlight<'send', void>();
  const writes = createSingleFlight<'write', void>();

  const sizeOf = () =>
    outgoing.reduce((sum, { body }) => sum + body.metrics.length + body.applications.length, 0) +
    buffer.size();

  function addToBuffer({ reports, instances }: Batch): void {
    for (const each of instances) buffer.addInstanceReport(each);
    for (const { features, ...where } of reports) {
      for (const [feature, { yes, no, variants, seenMs }] of features) {
        const counted = { yes, no, ...(variants && { variants: Object.fromEntries(variants) }) };
        buffer.count(where, feature, counted, seenMs);
      }
    }
  }

  const write = (): Promise<void> =>
    writes.joinNext('write', async () => {
      if (!store) return;
      isChanged = false;
      try {
        const waiting = buffer.listAll(batchSize).map(writtenBatch);
        await store.write('usage', sealed({ outgoing, waiting }));
      } catch (error) {
        isChanged = true;
        throw error;
      }
    });

  /** On a full disk usage is sent all the same. */
  const tryToWrite = (): Promise<void> =>
    write().catch((error) => log.warn({ err: error }, 'waiting usage could not be stored'));

  const writing = setInterval(() => {
    if (isChanged) void tryToWrite();
  }, storeEveryMs).unref();

  /** Freezes what waits, under new ids. */
  function takeAll(): void {
    for (const batch of buffer.takeAll(batchSize)) {
      for (const { scope, ...content } of scopedUsage(batch, sender)) {
        outgoing.push({ scope, body: { batchId: randomUUID(), ...content }, rejections: 0 });
      }
    }
  }

  /** Returns whether it is done with: counted, or dropped. Throws if the upstream is away. */
  async function deliver(each: Outgoing): Promise<boolean> {
    const token = findToken(each.scope);
    if (token === undefined) return false;
    const path = '/api/client/metrics/bulk';
    const beganMs = performance.now();
    const { status } = await upstream.post(path, each.body, { token });
    options.onSent?.(performance.now() - beganMs);
    if (status >= 200 && status < 300) return true;
    if (!isRejected(status)) throw upstreamFailed(`POST ${path}: it answered ${status}`);
    each.rejections += 1;
    if (each.rejections < maxRejections) return false;
    log.error({ status, lost: each.body.metrics.length }, 'the upstream rejects usage: dropped');
    return true;
  }

  async function sendAll(): Promise<void> {
    try {
      if (outgoing.length === 0) {
        takeAll();
        if (outgoing.length === 0) return;
      }
      // The ids must be known after a kill, or what was counted would be sent under another one.
      await tryToWrite();
      for (const each of [...outgoing]) {
        if (!(await deliver(each))) continue;
        outgoing = outgoing.filter((other) => other !== each);
        isChanged = true;
      }
      if (failure) log.info('usage is sent to the upstream again');
      failure = undefined;
    } catch (error) {
      if (!failure) log.warn({ err: error, waiting: sizeOf() }, 'usage cannot be sent, it waits');
      failure = error;
    } finally {
      if (isChanged) await tryToWrite();
    }
  }

  const send = (): Promise<void> => sends.joinNext('send', sendAll);

  return {
    add(batch) {
      if (batch.id !== undefined && taken.has(batch.id)) return;
      if (sizeOf() + batch.size > maxSize) {
        throw unavailable('Too much usage is waiting to be sent. Send it again later');
      }
      addToBuffer(batch);
      isChanged = true;
      if (batch.id === undefined) return;
      taken.add(batch.id);
      if (taken.size > mostTaken) taken.delete(taken.values().next().value as string);
    },
    send,
    waiting: sizeOf,
    async restore() {
      const text = await store?.read('usage');
      if (text === undefined) return;
      try {
        const found = unsealed(text) as { outgoing?: Outgoing[]; waiting?: Written[] };
        outgoing = found.outgoing ?? [];
        for (const batch of found.waiting ?? []) addToBuffer(readBatch(batch));
      } catch (error) {
        log.error({ err: error }, 'stored usage cannot be read: it is lost');
      }
    },
    abandon: () => clearInterval(writing),
    async close() {
      clearInterval(writing);
      await send();
      // What arrived meanwhile, and what the upstream did not take.
      await write().catch((error) =>
        log.error({ err: error, lost: sizeOf() }, 'usage could not be stored before the end'),
      );
    },
  };
}
