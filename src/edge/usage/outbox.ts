import type { Batch, UsageReport } from '../../modules/sdk/client-metrics/report/buffer.ts';
import { dayMs } from '../../platform/clock.ts';
import { unavailable } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { createSingleFlight } from '../../platform/single-flight.ts';
import { createSlices } from '../../platform/slices.ts';
import type { Scope } from '../hub/scopes.ts';
import type { StateStore } from '../state/state.ts';
import type { Upstream } from '../upstream/requests.ts';
import { kindKey, scopedUsage } from './bulk.ts';
import { createQueue } from './queue.ts';
import { createRegistrations } from './registrations.ts';
import { createUsageFile } from './usage-file.ts';
import { countOf, createWaiting, type Parts, partsOf } from './waiting.ts';

/** More is refused, and SDKs send it again. About 100 MB, or days of usage: it is summed by hour. */
const maxSize = 300_000;
/** Anyone can invent usage with a public token. Beyond this it is dropped: browsers would not send it again either. */
const maxPublicSize = maxSize / 3;
const batchSize = 2_000;
/** A repetition comes within minutes. */
const mostTaken = 10_000;
/**
 * What no token can send is kept this long, also from the start on: then a dynamic edge learns its tokens from its
 * clients.
 */
const keptWithoutTokenMs = dayMs;
/** How often waiting usage is stored. A kill loses at most this much. */
const storeEveryMs = 5_000;

export interface Outbox {
  /** Takes usage. It is summed with what waits, and sent later. Throws 503 if too much waits. */
  readonly add: (batch: Batch) => Promise<void>;
  /** Sends what waits. Resolves also if the upstream is away. */
  readonly send: () => Promise<void>;
  readonly waiting: () => number;
  /** How much was dropped since the start: the upstream never took it, no token could send it, or public tokens reported too much. */
  readonly dropped: () => number;
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
  /** Whether a feature may be counted for a scope: it is not one of a project outside it. */
  readonly mayCount: (scope: Scope, feature: string) => boolean;
  readonly store: StateStore | undefined;
  /** What is stored is sent to no other one. */
  readonly upstreamUrl: string | undefined;
  readonly sender: { readonly appName: string; readonly instanceId: string };
  readonly log: Logger;
  /** Told how long each request took. */
  readonly onSent?: (ms: number) => void;
  /** The upstream refused a token: a reason to ask about it. */
  readonly onRefused?: () => void;
}

/**
 * Usage on its way to the upstream. What was sent once keeps its content and its id until the upstream has confirmed it,
 * also across restarts; everything else is summed.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const { findToken, mayCount, store, upstreamUrl, sender, log } = options;
  const file = store && createUsageFile(store, upstreamUrl);
  const queue = createQueue({
    ...options,
    // All of it is written after the round, and a failure of that is logged.
    onTaken: async (id) => file?.markSent(id).catch(() => undefined),
  });
  const waiting = createWaiting();
  const registrations = createRegistrations();
  const startedMs = Date.now();
  let lost = 0;
  /** The ids of batches of edges behind this one, which repeat a batch whose response was lost. */
  const taken = new Set<string>();
  let isChanged = false;
  let isPublicFull = false;
  const sends = createSingleFlight<'send', void>();
  const writes = createSingleFlight<'write', void>();

  /** While this is under way, a part of the usage neither waits nor is in the queue. */
  let freezing: Promise<void> | undefined;
  let sizeOfThat = 0;

  const sizeOf = () => queue.size() + waiting.size() + sizeOfThat;

  function sum(parts: Parts): void {
    waiting.add(parts);
    for (const each of parts.instances) registrations.remember(each);
  }

  function take(id: string): void {
    taken.add(id);
    if (taken.size > mostTaken) taken.delete(taken.values().next().value as string);
  }

  /** Without what is public, once that has taken its share. */
  function withinShare(batch: Batch): Parts {
    const isFull = queue.publicSize() + waiting.publicSize() >= maxPublicSize;
    if (isFull && !isPublicFull) log.error('too much unsent usage of frontend tokens: dropping it');
    isPublicFull = isFull;
    if (!isFull) return batch;
    lost += countOf(partsOf(batch, ({ isPublic }) => isPublic));
    return partsOf(batch, ({ isPublic }) => !isPublic);
  }

  const write = (): Promise<void> =>
    writes.joinNext('write', async () => {
      while (freezing) await freezing;
      isChanged = false;
      try {
        await file?.write({
          outgoing: [...queue.list()],
          waiting: waiting.listInTurn(batchSize),
          registered: registrations.list(),
          taken: [...taken],
        });
      } catch (error) {
        isChanged = true;
        throw error;
      }
    });

  /** On a full disk usage is sent all the same. */
  const tryToWrite = (): Promise<void> =>
    write().catch((error) => log.warn({ err: error }, 'unsent usage could not be stored'));

  const writing = setInterval(() => {
    if (isChanged) void tryToWrite();
  }, storeEveryMs).unref();

  /** Puts back what no token can send, unless it is too old. Returns how much is. */
  function keep({ reports, instances }: Parts): number {
    const oldestMs = Date.now() - keptWithoutTokenMs;
    const isKept = (fromMs: number) => Math.max(fromMs, startedMs) >= oldestMs;
    const kept = {
      reports: reports.filter(({ hourMs }) => isKept(hourMs)),
      instances: instances.filter(({ seenMs }) => isKept(seenMs)),
    };
    sum(kept);
    return countOf({ reports, instances }) - countOf(kept);
  }

  /** Without the features of projects that the token of the report does not see: the one that sends it may see more. */
  const counted = (report: UsageReport): UsageReport => ({
    ...report,
    features: new Map([...report.features].filter(([name]) => mayCount(report.scope, name))),
  });

  /** Freezes what can be sent, under new ids. In slices: for 300,000 counts it takes a second. */
  async function freeze(): Promise<void> {
    const slices = createSlices();
    const frozenMs = Date.now();
    const heldBack = queue.heldBack();
    const size = waiting.size();
    const taken = waiting.takeInTurn(batchSize, (kind) => !heldBack.has(kindKey(kind)));
    sizeOfThat = size - waiting.size();
    let gone = 0;
    for (const { kind, batch } of taken) {
      if (findToken(kind.scope) === undefined) gone += keep(batch);
      else {
        const sent = {
          reports: batch.reports.map(counted),
          instances: batch.instances.map(registrations.complete),
        };
        queue.add(scopedUsage(kind, sent, sender), frozenMs);
      }
      sizeOfThat -= batch.size;
      await slices.pause();
    }
    if (gone === 0) return;
    lost += gone;
    log.error({ lost: gone }, 'dropped usage that no backend token has access to');
  }

  async function sendAll(): Promise<void> {
    freezing = freeze();
    await freezing.finally(() => {
      freezing = undefined;
    });
    if (queue.size() === 0) return;
    // The ids must be known after a kill, or what was counted would be sent under another one.
    await tryToWrite();
    if (await queue.send()) isChanged = true;
    if (isChanged) await tryToWrite();
  }

  const send = (): Promise<void> => sends.joinNext('send', sendAll);

  return {
    async add(batch) {
      const { id } = batch;
      if (id !== undefined) {
        // Its id and all of its counts are stored together, so that it is counted once also after a kill.
        await file?.idle();
        if (taken.has(id)) return;
      }
      if (sizeOf() + batch.size > maxSize) {
        throw unavailable('Too much usage is waiting to be sent. Send it again later');
      }
      sum(withinShare(batch));
      isChanged = true;
      if (id !== undefined) take(id);
    },
    send,
    waiting: sizeOf,
    dropped: () => lost + queue.dropped(),
    async restore() {
      try {
        const found = await file?.read();
        if (!found) return;
        for (const each of found.registered) registrations.remember(each);
        for (const id of found.taken) take(id);
        queue.restore(found.outgoing);
        for (const batch of found.waiting) sum(batch);
      } catch (error) {
        log.error({ err: error }, 'stored usage is not sent');
      }
    },
    abandon: () => clearInterval(writing),
    async close() {
      clearInterval(writing);
      queue.hurry();
      await send();
      // What arrived meanwhile, and what the upstream did not take.
      await write().catch((error) =>
        log.error({ err: error, lost: sizeOf() }, 'usage could not be stored before the end'),
      );
    },
  };
}
