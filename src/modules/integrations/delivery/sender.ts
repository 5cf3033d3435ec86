import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts';
import type { OpenIntegration } from '../configuration/open.ts';
import { attemptOnce } from './attempt-once.ts';
import type { LedgerEntry } from './ledger.ts';
import { type DeliveryToAttempt, outcomeOf } from './outcome.ts';
import { createPace } from './pace.ts';
import { boundedRetryAfter } from './retry-schedule.ts';
import { createSlots, type Slots } from './slots.ts';

export interface SenderOptions {
  readonly outgoing: Outgoing;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the account responsible for an integration is an administrator. */
  readonly isOwnedByAdministrator: (integration: OpenIntegration) => Promise<boolean>;
  /** Called after each attempt. */
  readonly onEnd: (entry: LedgerEntry) => void;
}

export interface Sender {
  readonly slots: Pick<Slots, 'free' | 'busy' | 'left'>;
  readonly send: (claimed: DeliveryToAttempt, integration: OpenIntegration) => void;
  /** Call when outcomes are stored, or never will be: the next delivery in order may be sent. */
  readonly markWritten: (ids: readonly string[]) => void;
  /** Deliveries that this instance has claimed and not finished. */
  readonly listUnfinished: () => string[];
  /** Resolves when all attempts have ended. */
  readonly settled: () => Promise<void>;
  readonly isBusy: () => boolean;
  /** Starts no further attempts. The others are freed. */
  readonly close: () => void;
  /** Aborts all attempts. Failures caused by this are not stored. */
  readonly abort: () => void;
}

/** Makes attempts: a bounded number at a time, at an even pace. */
export function createSender(options: SenderOptions): Sender {
  const { outgoing, timeoutMs, clock, log, isOwnedByAdministrator, onEnd } = options;
  const slots = createSlots();
  const pace = createPace();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  /** Integrations of ordered deliveries, by delivery. Their slot is released when the outcome is stored. */
  const unwrittenInOrder = new Map<string, number>();
  const underWay = new Set<string>();
  let isClosing = false;

  async function send(claimed: DeliveryToAttempt, integration: OpenIntegration): Promise<void> {
    const { id, message } = claimed;
    const { signal } = stopping;
    const attempted = await attemptOnce({
      integration,
      id,
      message,
      outgoing,
      timeoutMs,
      clock,
      signal,
      isOwnedByAdministrator: () => isOwnedByAdministrator(integration),
    });
    if (attempted.fault) log.error({ err: attempted.fault, record: id }, 'an attempt went wrong');
    const now = clock();
    const { retryAfterMs, gone } = attempted.verdict;
    const entry: LedgerEntry = {
      ...outcomeOf(claimed, attempted, now),
      ...(retryAfterMs && { holdUntil: new Date(now.getTime() + boundedRetryAfter(retryAfterMs)) }),
      ...(gone && { gone }),
    };
    if (integration.inOrder) unwrittenInOrder.set(id, integration.id);
    else slots.release(integration.id, attempted.latencyMs >= timeoutMs);
    // Aborted by `abort`: the delivery is freed and sent again.
    if (signal.aborted && attempted.verdict.state === 'failed') return;
    onEnd(entry);
  }

  return {
    slots,
    send(claimed, integration) {
      slots.take(integration.id);
      underWay.add(claimed.id);
      const task = new Promise<void>((resolve) => pace.start(integration.id, resolve))
        .then(() => (isClosing ? undefined : send(claimed, integration)))
        .catch((error) => {
          // An internal error. After a minute the delivery counts as lost and is freed.
          log.error({ err: error, record: claimed.id }, 'an attempt went wrong');
          underWay.delete(claimed.id);
          slots.release(integration.id, false);
        })
        .finally(() => running.delete(task));
      running.add(task);
    },
    markWritten(ids) {
      for (const id of ids) {
        underWay.delete(id);
        const integrationId = unwrittenInOrder.get(id);
        unwrittenInOrder.delete(id);
        if (integrationId !== undefined) slots.release(integrationId, false);
      }
    },
    listUnfinished: () => [...underWay],
    settled: async () => {
      await Promise.all(running);
    },
    isBusy: () => running.size > 0,
    close() {
      isClosing = true;
      pace.startAll();
    },
    abort: () => stopping.abort(),
  };
}
