import type { Kysely } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Actor, Database, Transact } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Settings } from '../../../platform/module.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts';
import { type OpenIntegration, openIntegrations } from '../configuration/open.ts';
import type { Trouble } from '../tables.ts';
import { attemptOnce } from './attempt-once.ts';
import { fanOut } from './fan-out.ts';
import { createLedger } from './ledger.ts';
import { outcomeOf } from './outcome.ts';
import { type Claimed, claimDue, claimHeads, type Room, releaseOrphans } from './queries/claim.ts';
import type { NewDelivery } from './queries/fan-out.ts';
import { releaseOwned } from './queries/finish.ts';
import { findVersion, tryLockProgress } from './queries/progress.ts';
import { createSlots } from './slots.ts';

export interface EngineOptions {
  readonly db: Kysely<Database>;
  readonly transact: Transact;
  readonly system: Actor;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: Pick<Settings, 'encryptionKeys' | 'baseUrl' | 'deliveryTimeoutMs'>;
  readonly outgoing: Outgoing;
  /** Under which number this instance claims deliveries. */
  readonly owner: number;
  readonly onGone: (integrationId: number, trouble: Trouble) => Promise<void>;
}

export interface Engine {
  /** Events were committed. */
  readonly news: () => void;
  /** Integrations were changed, or something is to be sent at once. */
  readonly changed: () => void;
  /** Time has passed: what is due now, what dead instances left behind. */
  readonly tick: () => Promise<void>;
  /** When there is nothing left to do at this moment. */
  readonly settled: () => Promise<void>;
  readonly stop: (patienceMs: number) => Promise<void>;
}

/** Only an instance that is stuck holds something longer; one that died is known by its lock. */
const leaseMs = 10 * 60_000;

const onlyOne = (integrationId: number): Room => ({ integrationId, free: 1 });

/** The integrations as they were at a version. */
interface Known {
  readonly version: number;
  readonly integrations: ReadonlyMap<number, OpenIntegration>;
}

/** Tells integrations what happened: fans events out, sends what is due, and writes down what became of it. */
export function createEngine(options: EngineOptions): Engine {
  const { db, transact, system, clock, log, settings, outgoing, owner, onGone } = options;
  const slots = createSlots();
  const running = new Set<Promise<void>>();
  /** Integrations that have more to send than there was room for. */
  const crowded = new Set<number>();
  const stopping = new AbortController();
  let known: Known | undefined;
  let looking: Promise<void> | undefined;
  let wanted = false;
  let hasNews = true;
  let closed = false;

  const ledger = createLedger({
    db,
    owner,
    log,
    onGone,
    onWritten: () => crowded.size > 0 && wake(),
  });

  const isAnybodyTold = () =>
    known === undefined || [...known.integrations.values()].some(({ enabled }) => enabled);

  async function know(version: number, reader: Parameters<typeof openIntegrations>[0] = db) {
    if (known?.version === version) return known;
    const all = await openIntegrations(reader, settings.encryptionKeys);
    known = { version, integrations: new Map(all.map((each) => [each.id, each])) };
    return known;
  }

  async function send(claimed: Claimed, integration: OpenIntegration): Promise<void> {
    const attempted = await attemptOnce({
      integration,
      id: claimed.id,
      message: claimed.message,
      outgoing,
      timeoutMs: settings.deliveryTimeoutMs,
      clock,
      signal: stopping.signal,
    });
    slots.give(integration.id, attempted.latencyMs >= settings.deliveryTimeoutMs);
    // Cut short by us: it is given back, and sent again by whoever runs next.
    if (stopping.signal.aborted && attempted.verdict.state === 'failed') return;
    const { retryAfterMs, gone } = attempted.verdict;
    const now = clock();
    ledger.add({
      ...outcomeOf(claimed, attempted, now),
      ...(retryAfterMs && { holdUntil: new Date(now.getTime() + retryAfterMs) }),
      ...(gone && { gone }),
    });
  }

  function start(claimed: Claimed, integration: OpenIntegration): void {
    slots.take(integration.id);
    const task = send(claimed, integration)
      .catch((error) => log.error({ err: error, record: claimed.id }, 'an attempt went wrong'))
      .finally(() => running.delete(task));
    running.add(task);
  }

  /** Fans out what is new; true: there is more. */
  async function tellNews(): Promise<boolean> {
    const { deliveries, more } = await transact(system, async (tx) => {
      const progress = await tryLockProgress(tx);
      if (!progress) return { deliveries: [], more: false };
      const { integrations } = await know(progress.version, tx.db);
      if (!isAnybodyTold()) return { deliveries: [], more: false };
      const sending = new Set(progress.sending);
      const taken = new Map<number, number>();
      return fanOut(tx, progress, {
        integrations: [...integrations.values()],
        baseUrl: settings.baseUrl,
        leasedUntil: new Date(tx.now.getTime() + leaseMs),
        claimFor({ id, inOrder }) {
          const already = taken.get(id) ?? 0;
          const full = already >= slots.free(id);
          if (full && sending.has(id)) crowded.add(id);
          if (inOrder || full || crowded.has(id) || !sending.has(id)) return null;
          taken.set(id, already + 1);
          return owner;
        },
      });
    });
    for (const delivery of deliveries) startNew(delivery);
    return more;
  }

  function startNew({ id, integrationId, message, owner: claimant }: NewDelivery): void {
    const integration = known?.integrations.get(integrationId);
    if (claimant === null || !integration) return;
    start({ id, integrationId, message, tries: 0, fence: 1, version: 0 }, integration);
  }

  async function sendDue(): Promise<void> {
    if (!known) return;
    const now = clock();
    const claim = { owner, now, leasedUntil: new Date(now.getTime() + leaseMs) };
    const enabled = [...known.integrations.values()].filter((each) => each.enabled);
    const rooms = enabled
      .filter(({ id, inOrder }) => !inOrder && slots.free(id) > 0)
      .map(({ id }) => ({ integrationId: id, free: slots.free(id) }));
    const heads = enabled
      .filter(({ id, inOrder }) => inOrder && slots.busy(id) === 0)
      .map(({ id }) => id);
    const claimed = [
      ...(rooms.length > 0 ? await claimDue(db, claim, rooms) : []),
      ...(heads.length > 0 ? await claimHeads(db, claim, heads) : []),
    ];
    // Whoever got as many as there was room for may have more; whose order matters has one at a time.
    const count = new Map<number, number>();
    for (const { integrationId } of claimed) {
      count.set(integrationId, (count.get(integrationId) ?? 0) + 1);
    }
    for (const { integrationId, free } of [...rooms, ...heads.map(onlyOne)]) {
      if (count.get(integrationId) === free) crowded.add(integrationId);
      else crowded.delete(integrationId);
    }
    if (claimed.length === 0) return;
    const { integrations } = await know((claimed[0] as Claimed).version);
    for (const each of claimed) {
      const integration = integrations.get(each.integrationId);
      if (integration) start(each, integration);
    }
  }

  /** Ends in the very moment in which nothing is wanted any more: who wakes it later begins it anew. */
  async function look(): Promise<void> {
    await Promise.resolve();
    try {
      while (wanted && !stopping.signal.aborted) {
        wanted = false;
        while (hasNews) {
          hasNews = false;
          hasNews = (await tellNews()) || hasNews;
        }
        if (isAnybodyTold()) await sendDue();
      }
    } catch (error) {
      log.error({ err: error }, 'deliveries could not be looked at');
    } finally {
      looking = undefined;
    }
  }

  function wake(): void {
    if (closed) return;
    wanted = true;
    looking ??= look();
  }

  async function settled(): Promise<void> {
    while (looking || running.size > 0 || wanted) {
      await looking;
      await Promise.all(running);
      await ledger.settled();
      if (!looking) wanted = false;
    }
    await ledger.settled();
  }

  return {
    settled,
    news() {
      if (!isAnybodyTold()) return;
      hasNews = true;
      wake();
    },
    changed() {
      hasNews = true;
      wake();
    },
    async tick() {
      const version = await findVersion(db);
      if (known?.version !== version || isAnybodyTold()) {
        await know(version);
        await releaseOrphans(db, clock());
        hasNews = true;
        wake();
      }
    },
    async stop(patienceMs) {
      closed = true;
      const patience = setTimeout(() => stopping.abort(), patienceMs);
      await looking;
      await Promise.all(running);
      stopping.abort();
      clearTimeout(patience);
      await ledger.settled();
      // What stays claimed by somebody who is gone is freed by whoever runs next.
      await releaseOwned(db, owner).catch((error) =>
        log.warn({ err: error }, 'deliveries under way could not be given back'),
      );
    },
  };
}
