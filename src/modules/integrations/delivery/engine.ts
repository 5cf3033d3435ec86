import type { Kysely } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Db, Transact } from '../../../platform/db/database.ts';
import { logRetry } from '../../../platform/db/outage.ts';
import type { Logger } from '../../../platform/log.ts';
import { createLookupCache } from '../../../platform/lookup-cache.ts';
import type { Settings } from '../../../platform/module.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts';
import { type OpenIntegration, openIntegrations } from '../configuration/open.ts';
import { createVisibilityCache, findVisibility } from '../configuration/responsible.ts';
import type { IntegrationProblem } from '../tables.ts';
import { fanOut } from './fan-out.ts';
import { createLedger, type LedgerEntry } from './ledger.ts';
import { cancelledOutcome } from './outcome.ts';
import {
  claimDue,
  claimHeads,
  listDeadOwners,
  makeDue,
  releaseLost,
  releaseOrphans,
} from './queries/claim.ts';
import type { NewDelivery } from './queries/fan-out.ts';
import { type AttemptOutcome, releaseOwned } from './queries/finish.ts';
import { findVersion, tryLockProgress } from './queries/progress.ts';
import { createSender } from './sender.ts';
import { isVisibleTo } from './visibility.ts';

export interface EngineOptions {
  readonly db: Kysely<Database>;
  readonly transact: Transact;
  readonly system: Actor;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: Pick<Settings, 'encryptionKeys' | 'baseUrl' | 'deliveryTimeoutMs'>;
  readonly outgoing: Outgoing;
  /** The number under which this instance claims deliveries. */
  readonly owner: number;
  readonly onGone: (integrationId: number, trouble: IntegrationProblem) => Promise<void>;
  /** Called after each attempt. */
  readonly onAttempt?: (outcome: AttemptOutcome['outcome']) => void;
}

export interface Engine {
  /** Call when events were committed. */
  readonly onNewEvents: () => void;
  /** Call when integrations were changed, or when something should be sent at once. */
  readonly onIntegrationsChanged: () => void;
  /** Call every second: sends due deliveries, and frees those of dead instances. */
  readonly tick: () => Promise<void>;
  /** Resolves when there is nothing to do at this moment. */
  readonly settled: () => Promise<void>;
  readonly stop: (graceMs: number) => Promise<void>;
}

/** A dead instance is detected by its lock. Only an instance that is stuck loses its claims by this lease. */
const leaseMs = 10 * 60_000;

/** Each integration with a backlog gets at least this many slots. */
const minShare = 4;

/** A claimed delivery that was not started by then is lost. */
const lostAfterMs = 60_000;

/** The lease of a delivery that was claimed `lostAfterMs` ago. */
const claimedBefore = (now: Date) => new Date(now.getTime() + leaseMs - lostAfterMs);

interface IntegrationsAtVersion {
  readonly version: number;
  readonly integrations: ReadonlyMap<number, OpenIntegration>;
}

/**
 * Delivers events to integrations. Three parts call each other:
 *
 *   engine ── send(delivery) ──────▸ sender   makes attempts, within slots and at an even pace
 *   sender ── onEnd(entry) ────────▸ ledger   stores outcomes in batches
 *   ledger ── onWritten(entries) ──▸ engine   wakes it if the integration has more to send
 *   engine ── markWritten(ids) ────▸ sender   releases the slots of ordered deliveries
 *
 * The engine fans new events out, claims what is due, and hands both to the sender.
 */
export function createEngine(options: EngineOptions): Engine {
  const { db, transact, system, clock, log, settings, outgoing, owner, onGone, onAttempt } =
    options;
  /** Integrations that have more due deliveries than free slots. */
  const backlogged = new Set<number>();
  /**
   * Cached for one second, as credentials are: an integration may send a thousand requests to this machine in that
   * time.
   */
  const administrators = createLookupCache<boolean>();
  let cachedIntegrations: IntegrationsAtVersion | undefined;
  let cycle: Promise<void> | undefined;
  let isCycleWanted = false;
  let hasNewEvents = true;
  let isClosed = false;
  let suspectedDeadOwners: ReadonlySet<number> = new Set();
  let lastTickAt = new Date(8.64e15);

  const sender = createSender({
    outgoing,
    timeoutMs: settings.deliveryTimeoutMs,
    clock,
    log,
    isOwnedByAdministrator: async ({ responsible }) => {
      const now = clock();
      const readAdministrator = async () =>
        (await findVisibility(db, responsible, now)).sees === 'all';
      return (
        (await administrators.get(JSON.stringify(responsible), now.getTime(), readAdministrator)) ??
        false
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
    onWritten: (entries) => {
      sender.markWritten(entries.map(({ id }) => id));
      const isNextWanted = ({ integrationId }: LedgerEntry) =>
        backlogged.has(integrationId) ||
        cachedIntegrations?.integrations.get(integrationId)?.inOrder;
      if (entries.some(isNextWanted)) wake();
    },
  });

  const hasEnabledOne = ({ integrations }: IntegrationsAtVersion) =>
    [...integrations.values()].some(({ enabled }) => enabled);

  const hasEnabledIntegration = () =>
    cachedIntegrations === undefined || hasEnabledOne(cachedIntegrations);

  async function readIntegrations(version: number, reader: Db): Promise<IntegrationsAtVersion> {
    if (cachedIntegrations?.version === version) return cachedIntegrations;
    const all = await openIntegrations(reader, settings.encryptionKeys);
    return { version, integrations: new Map(all.map((each) => [each.id, each])) };
  }

  async function refreshIntegrations(version: number): Promise<IntegrationsAtVersion> {
    cachedIntegrations = await readIntegrations(version, db);
    return cachedIntegrations;
  }

  /** Fans out new events. Returns true if there are more. */
  async function fanOutNewEvents(): Promise<boolean> {
    // A transaction that lost a deadlock runs again, so its result is used only after the commit.
    const result = await transact(system, async (tx) => {
      const progress = await tryLockProgress(tx);
      if (!progress) return undefined;
      const current = await readIntegrations(progress.version, tx.db);
      const grownBacklog = new Set(backlogged);
      if (!hasEnabledOne(current)) return { deliveries: [], more: false, current, grownBacklog };
      const sending = new Set(progress.sending);
      const claimedCounts = new Map<number, number>();
      let total = 0;
      const fannedOut = await fanOut(tx, progress, {
        integrations: [...current.integrations.values()],
        baseUrl: settings.baseUrl,
        leasedUntil: new Date(tx.now.getTime() + leaseMs),
        claimFor({ id, inOrder }) {
          const already = claimedCounts.get(id) ?? 0;
          const full = already >= slots.free(id) || total >= slots.left();
          if (full && sending.has(id)) grownBacklog.add(id);
          if (inOrder || full || grownBacklog.has(id) || !sending.has(id)) return null;
          claimedCounts.set(id, already + 1);
          total += 1;
          return owner;
        },
      });
      return { ...fannedOut, current, grownBacklog };
    });
    if (!result) return false;
    const { deliveries, more, current, grownBacklog } = result;
    if (!cachedIntegrations || cachedIntegrations.version <= current.version)
      cachedIntegrations = current;
    for (const id of grownBacklog) backlogged.add(id);
    for (const delivery of deliveries) {
      sendNew(delivery, current.integrations.get(delivery.integrationId));
    }
    for (const { id, integrationId, problem } of deliveries) {
      if (problem === null) continue;
      log.error(
        { integration: integrationId, record: id, problem },
        'a delivery failed permanently',
      );
    }
    return more;
  }

  function sendNew(
    { id, integrationId, message, owner: claimant }: NewDelivery,
    integration: OpenIntegration | undefined,
  ): void {
    if (claimant === null || !integration) return;
    sender.send(
      { id, integrationId, message, tries: 0, fence: 1, failedBefore: false },
      integration,
    );
  }

  async function sendDue(): Promise<void> {
    if (!cachedIntegrations) return;
    const now = clock();
    const claim = { owner, now, leasedUntil: new Date(now.getTime() + leaseMs) };
    const enabled = [...cachedIntegrations.integrations.values()].filter((each) => each.enabled);
    // Integrations with a backlog share the free slots.
    const share = Math.max(minShare, Math.floor(slots.left() / (backlogged.size + 1)));
    const freeSlots = enabled
      .filter(({ id, inOrder }) => !inOrder && slots.free(id) > 0)
      .map(({ id }) => ({ integrationId: id, free: Math.min(slots.free(id), share) }));
    const heads = enabled
      .filter(({ id, inOrder }) => inOrder && slots.busy(id) === 0)
      .map(({ id }) => id);
    const claimed = [
      ...(freeSlots.length > 0 ? await claimDue(db, claim, freeSlots) : []),
      ...(heads.length > 0 ? await claimHeads(db, claim, heads) : []),
    ];
    // An integration that filled all its slots may have more.
    const count = new Map<number, number>();
    for (const { integrationId } of claimed) {
      count.set(integrationId, (count.get(integrationId) ?? 0) + 1);
    }
    for (const { integrationId, free } of freeSlots) {
      if (count.get(integrationId) === free) backlogged.add(integrationId);
      else backlogged.delete(integrationId);
    }
    if (claimed.length === 0) return;
    const { integrations } = await refreshIntegrations(
      Math.max(...claimed.map(({ version }) => version)),
    );
    const findSight = createVisibilityCache(db, now);
    for (const each of claimed) {
      const integration = integrations.get(each.integrationId);
      if (!integration) continue;
      // Since the fan-out the project may have become private, or the account may have lost its role.
      const isVisible = each.isOpen || isVisibleTo(await findSight(integration.responsible), each);
      if (isVisible) sender.send(each, integration);
      else ledger.add(cancelledOutcome(each, clock()));
    }
  }

  /** Runs until no further cycle is wanted. `wake` starts the next one. */
  async function runCycle(): Promise<void> {
    await Promise.resolve();
    try {
      while (isCycleWanted && !isClosed) {
        isCycleWanted = false;
        if (hasNewEvents) {
          hasNewEvents = false;
          if (await fanOutNewEvents()) {
            hasNewEvents = true;
            isCycleWanted = true;
          }
        }
        // After each fan-out, so that a steady flow of events does not delay retries and ordered deliveries.
        if (hasEnabledIntegration()) await sendDue();
      }
    } catch (error) {
      logRetry(log, error, 'could not read due deliveries');
    } finally {
      cycle = undefined;
    }
  }

  function wake(): void {
    if (isClosed) return;
    isCycleWanted = true;
    cycle ??= runCycle();
  }

  /** A lock is gone for a moment while its connection is made again, so an owner counts as dead after two checks. */
  async function listConfirmedDeadOwners(): Promise<number[]> {
    const before = suspectedDeadOwners;
    suspectedDeadOwners = new Set(await listDeadOwners(db, owner));
    return [...suspectedDeadOwners].filter((each) => before.has(each));
  }

  async function settled(): Promise<void> {
    while (cycle || sender.isBusy() || isCycleWanted) {
      await cycle;
      await sender.settled();
      await ledger.settled();
      if (!cycle) isCycleWanted = false;
    }
    await ledger.settled();
  }

  return {
    settled,
    onNewEvents() {
      if (!hasEnabledIntegration()) return;
      hasNewEvents = true;
      wake();
    },
    onIntegrationsChanged() {
      hasNewEvents = true;
      wake();
    },
    async tick() {
      const version = await findVersion(db);
      if (cachedIntegrations?.version !== version || hasEnabledIntegration()) {
        await refreshIntegrations(version);
        const now = clock();
        // At the first tick, and when the clock was set back.
        if (now < lastTickAt)
          await makeDue(db, [...(cachedIntegrations?.integrations.keys() ?? [])], now);
        lastTickAt = now;
        await releaseOrphans(db, await listConfirmedDeadOwners(), now);
        await releaseLost(db, owner, sender.listUnfinished(), claimedBefore(now));
        hasNewEvents = true;
        wake();
      }
    },
    async stop(graceMs) {
      isClosed = true;
      const timer = setTimeout(sender.abort, graceMs);
      await cycle;
      sender.close();
      await sender.settled();
      clearTimeout(timer);
      await ledger.settled();
      // If this fails, another instance or the next start frees the deliveries.
      await releaseOwned(db, owner).catch((error) =>
        log.warn({ err: error }, 'deliveries in progress could not be released'),
      );
    },
  };
}
