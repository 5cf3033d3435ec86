import type { Kysely } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Actor, Database, Db, Transact } from '../../../platform/db/database.ts';
import { logRetry } from '../../../platform/db/outage.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Settings } from '../../../platform/module.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts';
import { createMemory } from '../../access/gate/index.ts';
import { type OpenIntegration, openIntegrations } from '../configuration/open.ts';
import { createSights, sightOf } from '../configuration/responsible.ts';
import type { Trouble } from '../tables.ts';
import { fanOut } from './fan-out.ts';
import { createLedger, type Entry } from './ledger.ts';
import { cancelled } from './outcome.ts';
import {
  claimDue,
  claimHeads,
  listDeadOwners,
  makeDue,
  releaseForgotten,
  releaseOrphans,
} from './queries/claim.ts';
import type { NewDelivery } from './queries/fan-out.ts';
import { type Finished, releaseOwned } from './queries/finish.ts';
import { findVersion, tryLockProgress } from './queries/progress.ts';
import { createSender } from './sender.ts';
import { mayTell } from './visibility.ts';

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
  /** An attempt came to its end. */
  readonly onAttempt?: (outcome: Finished['outcome']) => void;
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

/** However many have a backlog, each gets so many at a time. */
const leastShare = 4;

/** Long enough for whoever claimed something to have begun with it. */
const forgottenMs = 60_000;

/** The lease of what was claimed so long ago. */
const claimedBefore = (now: Date) => new Date(now.getTime() + leaseMs - forgottenMs);

/** The integrations as they were at a version. */
interface IntegrationsAtVersion {
  readonly version: number;
  readonly integrations: ReadonlyMap<number, OpenIntegration>;
}

/** Tells integrations what happened: fans events out, sends what is due, and writes down what became of it. */
export function createEngine(options: EngineOptions): Engine {
  const { db, transact, system, clock, log, settings, outgoing, owner, onGone, onAttempt } =
    options;
  /** Integrations that have more to send than there was room for. */
  const crowded = new Set<number>();
  /** Believed for a second, as credentials are: a receiver on this machine may be told a thousand times in one. */
  const administrators = createMemory<boolean>();
  let known: IntegrationsAtVersion | undefined;
  let looking: Promise<void> | undefined;
  let wanted = false;
  let hasNews = true;
  let closed = false;
  let lacking: ReadonlySet<number> = new Set();
  let tickedAt = new Date(8.64e15);

  const sender = createSender({
    outgoing,
    timeoutMs: settings.deliveryTimeoutMs,
    clock,
    log,
    isAdministrators: async ({ responsible }) => {
      const now = clock();
      const look = async () => (await sightOf(db, responsible, now)).sees === 'all';
      return (
        (await administrators.recall(JSON.stringify(responsible), now.getTime(), look)) ?? false
      );
    },
    onEnd: (entry) => {
      onAttempt?.(entry.outcome);
      ledger.add(entry);
    },
  });
  const { slots } = sender;
  const ledger = createLedger({
    db,
    owner,
    log,
    onGone,
    onDone: (entries) => {
      sender.isOver(entries.map(({ id }) => id));
      const isNextWanted = ({ integrationId }: Entry) =>
        crowded.has(integrationId) || known?.integrations.get(integrationId)?.inOrder;
      if (entries.some(isNextWanted)) wake();
    },
  });

  const hasEnabled = ({ integrations }: IntegrationsAtVersion) =>
    [...integrations.values()].some(({ enabled }) => enabled);

  const isAnybodyTold = () => known === undefined || hasEnabled(known);

  async function read(version: number, reader: Db): Promise<IntegrationsAtVersion> {
    if (known?.version === version) return known;
    const all = await openIntegrations(reader, settings.encryptionKeys);
    return { version, integrations: new Map(all.map((each) => [each.id, each])) };
  }

  async function know(version: number): Promise<IntegrationsAtVersion> {
    known = await read(version, db);
    return known;
  }

  /** Fans out what is new; true: there is more. */
  async function tellNews(): Promise<boolean> {
    // A transaction that lost a deadlock is done again: what it found out counts once it is committed.
    const found = await transact(system, async (tx) => {
      const progress = await tryLockProgress(tx);
      if (!progress) return undefined;
      const current = await read(progress.version, tx.db);
      const backlogged = new Set(crowded);
      if (!hasEnabled(current)) return { deliveries: [], more: false, current, backlogged };
      const sending = new Set(progress.sending);
      const taken = new Map<number, number>();
      let total = 0;
      const fannedOut = await fanOut(tx, progress, {
        integrations: [...current.integrations.values()],
        baseUrl: settings.baseUrl,
        leasedUntil: new Date(tx.now.getTime() + leaseMs),
        claimFor({ id, inOrder }) {
          const already = taken.get(id) ?? 0;
          const full = already >= slots.free(id) || total >= slots.left();
          if (full && sending.has(id)) backlogged.add(id);
          if (inOrder || full || backlogged.has(id) || !sending.has(id)) return null;
          taken.set(id, already + 1);
          total += 1;
          return owner;
        },
      });
      return { ...fannedOut, current, backlogged };
    });
    if (!found) return false;
    const { deliveries, more, current, backlogged } = found;
    if (!known || known.version <= current.version) known = current;
    for (const id of backlogged) crowded.add(id);
    for (const delivery of deliveries) {
      startNew(delivery, current.integrations.get(delivery.integrationId));
    }
    for (const { id, integrationId, problem } of deliveries) {
      if (problem === null) continue;
      log.error({ integration: integrationId, record: id, problem }, 'a delivery was given up');
    }
    return more;
  }

  function startNew(
    { id, integrationId, message, owner: claimant }: NewDelivery,
    integration: OpenIntegration | undefined,
  ): void {
    if (claimant === null || !integration) return;
    sender.start(
      { id, integrationId, message, tries: 0, fence: 1, failedBefore: false },
      integration,
    );
  }

  async function sendDue(): Promise<void> {
    if (!known) return;
    const now = clock();
    const claim = { owner, now, leasedUntil: new Date(now.getTime() + leaseMs) };
    const enabled = [...known.integrations.values()].filter((each) => each.enabled);
    // What is free over all of them is shared by those who have more than they had room for.
    const share = Math.max(leastShare, Math.floor(slots.left() / (crowded.size + 1)));
    const rooms = enabled
      .filter(({ id, inOrder }) => !inOrder && slots.free(id) > 0)
      .map(({ id }) => ({ integrationId: id, free: Math.min(slots.free(id), share) }));
    const heads = enabled
      .filter(({ id, inOrder }) => inOrder && slots.busy(id) === 0)
      .map(({ id }) => id);
    const claimed = [
      ...(rooms.length > 0 ? await claimDue(db, claim, rooms) : []),
      ...(heads.length > 0 ? await claimHeads(db, claim, heads) : []),
    ];
    // Whoever got as many as there was room for may have more.
    const count = new Map<number, number>();
    for (const { integrationId } of claimed) {
      count.set(integrationId, (count.get(integrationId) ?? 0) + 1);
    }
    for (const { integrationId, free } of rooms) {
      if (count.get(integrationId) === free) crowded.add(integrationId);
      else crowded.delete(integrationId);
    }
    if (claimed.length === 0) return;
    const { integrations } = await know(Math.max(...claimed.map(({ version }) => version)));
    const findSight = createSights(db, now);
    for (const each of claimed) {
      const integration = integrations.get(each.integrationId);
      if (!integration) continue;
      // It was fanned out when it might be told: since then the project may have become private, or a role been lost.
      const isTold = each.isOpen || mayTell(await findSight(integration.responsible), each);
      if (isTold) sender.start(each, integration);
      else ledger.add(cancelled(each, clock()));
    }
  }

  /** Ends in the very moment in which nothing is wanted any more: who wakes it later begins it anew. */
  async function look(): Promise<void> {
    await Promise.resolve();
    try {
      while (wanted && !closed) {
        wanted = false;
        if (hasNews) {
          hasNews = false;
          if (await tellNews()) {
            hasNews = true;
            wanted = true;
          }
        }
        // After each fan-out: news that never end must not keep retries, and what is told in order, waiting.
        if (isAnybodyTold()) await sendDue();
      }
    } catch (error) {
      logRetry(log, error, 'deliveries could not be looked at');
    } finally {
      looking = undefined;
    }
  }

  function wake(): void {
    if (closed) return;
    wanted = true;
    looking ??= look();
  }

  /** A lock is gone for a moment when a connection is made anew: who lacks it twice in a row is dead. */
  async function stillDead(): Promise<number[]> {
    const before = lacking;
    lacking = new Set(await listDeadOwners(db, owner));
    return [...lacking].filter((each) => before.has(each));
  }

  async function settled(): Promise<void> {
    while (looking || sender.isBusy() || wanted) {
      await looking;
      await sender.settled();
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
        const now = clock();
        // At the beginning, and when the clock was set back.
        if (now < tickedAt) await makeDue(db, [...(known?.integrations.keys() ?? [])], now);
        tickedAt = now;
        await releaseOrphans(db, await stillDead(), now);
        await releaseForgotten(db, owner, sender.underWay(), claimedBefore(now));
        hasNews = true;
        wake();
      }
    },
    async stop(patienceMs) {
      closed = true;
      const patience = setTimeout(sender.abort, patienceMs);
      await looking;
      sender.close();
      await sender.settled();
      clearTimeout(patience);
      await ledger.settled();
      // What stays claimed by somebody who is gone is freed by whoever runs next.
      await releaseOwned(db, owner).catch((error) =>
        log.warn({ err: error }, 'deliveries under way could not be given back'),
      );
    },
  };
}
