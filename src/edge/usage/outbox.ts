import {
  type Batch,
  createBuffer,
  type InstanceReport,
  type Source,
  type UsageReport,
} from '../../modules/sdk/client-metrics/report/buffer.ts';
import { dayMs } from '../../platform/clock.ts';
import { unavailable } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { createSingleFlight } from '../../platform/single-flight.ts';
import type { Scope } from '../hub/scopes.ts';
import { type StateStore, sealed, unsealed } from '../state/state.ts';
import type { Upstream } from '../upstream/requests.ts';
import { scopedUsage, scopeKey } from './bulk.ts';
import { createQueue, type Outgoing } from './queue.ts';
import { createRegistrations } from './registrations.ts';

/** More is refused, and SDKs send it again. About 100 MB, or days of usage: it is summed by hour. */
const maxSize = 300_000;
const batchSize = 2_000;
/** A repetition comes within minutes. */
const mostTaken = 10_000;
/** So many frozen parts of the usage wait in an outage. The rest is summed by hour, which takes less room. */
const mostFrozen = 3;
/** Usage that no token can send is kept this long: after a restart, a dynamic edge learns its tokens from its clients. */
const keptWithoutTokenMs = dayMs;
/** How often waiting usage is stored. A kill loses at most this much. */
const storeEveryMs = 5_000;

export interface Outbox {
  /** Takes usage. It is summed with what waits, and sent later. Throws 503 if too much waits. */
  readonly add: (batch: Batch) => void;
  /** Sends what waits. Resolves also if the upstream is away. */
  readonly send: () => Promise<void>;
  readonly waiting: () => number;
  /** How much was dropped since the start: the upstream never took it, or no token could send it. */
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
  readonly sender: { readonly appName: string; readonly instanceId: string };
  readonly log: Logger;
  /** Told how long each request took. */
  readonly onSent?: (ms: number) => void;
  /** The upstream refused a token: a reason to ask about it. */
  readonly onRefused?: () => void;
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

/**
 * Usage on its way to the upstream. What was sent once keeps its content and its id until the upstream has confirmed it,
 * also across restarts; everything else is summed.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const { findToken, mayCount, store, sender, log } = options;
  const buffer = createBuffer();
  const queue = createQueue(options);
  const registrations = createRegistrations();
  let lost = 0;
  /** The ids of batches of edges behind this one, which repeat a batch whose response was lost. */
  const taken = new Set<string>();
  let isChanged = false;
  const sends = createSingleFlight<'send', void>();
  const writes = createSingleFlight<'write', void>();

  const sizeOf = () => queue.size() + buffer.size();

  function addToBuffer({ reports, instances }: Pick<Batch, 'reports' | 'instances'>): void {
    for (const each of instances) {
      buffer.addInstanceReport(each);
      registrations.remember(each);
    }
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
        const registered = registrations.list();
        await store.write('usage', () => sealed({ outgoing: queue.list(), waiting, registered }));
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

  /** Puts back what no token can send, within bounds. */
  function keep({ reports, instances }: Pick<Batch, 'reports' | 'instances'>): void {
    const hasRoom = buffer.size() < maxSize / 2;
    const oldestMs = Date.now() - keptWithoutTokenMs;
    const kept = reports.filter(({ hourMs }) => hasRoom && hourMs >= oldestMs);
    addToBuffer({ reports: kept, instances: hasRoom ? instances : [] });
    const gone = reports.filter((each) => !kept.includes(each));
    const count = gone.reduce((sum, { features }) => sum + features.size, 0);
    if (count === 0) return;
    lost += count;
    log.error({ lost: count }, 'usage that no token can send was dropped');
  }

  /** Without the features of projects that the token of the report does not see: the one that sends it may see more. */
  const counted = (report: UsageReport): UsageReport => ({
    ...report,
    features: new Map([...report.features].filter(([name]) => mayCount(report.scope, name))),
  });

  /** Freezes what waits, under new ids. */
  function freeze(): void {
    const canSend = new Map<string, boolean>();
    const isSendable = ({ scope }: Source): boolean => {
      const key = scopeKey(scope);
      const known = canSend.get(key) ?? findToken(scope) !== undefined;
      canSend.set(key, known);
      return known;
    };
    const isKept = (source: Source) => !isSendable(source);
    for (const { reports, instances } of buffer.takeAll(batchSize)) {
      keep({ reports: reports.filter(isKept), instances: instances.filter(isKept) });
      const sent = {
        reports: reports.filter(isSendable).map(counted),
        instances: instances.filter(isSendable).map(registrations.complete),
      };
      queue.add(scopedUsage(sent, sender));
    }
  }

  async function sendAll(): Promise<void> {
    if (queue.countFrozen() < mostFrozen) freeze();
    if (queue.size() === 0) return;
    // The ids must be known after a kill, or what was counted would be sent under another one.
    await tryToWrite();
    if (await queue.send()) isChanged = true;
    if (isChanged) await tryToWrite();
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
    dropped: () => lost + queue.dropped(),
    async restore() {
      try {
        const text = await store?.read('usage');
        if (text === undefined) return;
        const found = unsealed(text) as {
          readonly outgoing?: Outgoing[];
          readonly waiting?: Written[];
          readonly registered?: InstanceReport[];
        };
        for (const each of found.registered ?? []) registrations.remember(each);
        queue.restore(found.outgoing ?? []);
        for (const batch of found.waiting ?? []) addToBuffer(readBatch(batch));
      } catch (error) {
        log.error({ err: error }, 'stored usage cannot be read: it is lost');
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
