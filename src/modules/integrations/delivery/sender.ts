import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts';
import type { OpenIntegration } from '../configuration/open.ts';
import { attemptOnce } from './attempt-once.ts';
import type { Entry } from './ledger.ts';
import { type Attemptable, outcomeOf } from './outcome.ts';
import { createPace } from './pace.ts';
import { patience } from './schedule.ts';
import { createSlots, type Slots } from './slots.ts';

export interface SenderOptions {
  readonly outgoing: Outgoing;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether an administrator answers for an integration. */
  readonly isAdministrators: (integration: OpenIntegration) => Promise<boolean>;
  /** An attempt has ended. */
  readonly onEnd: (entry: Entry) => void;
}

export interface Sender {
  readonly slots: Pick<Slots, 'free' | 'busy' | 'left'>;
  readonly start: (claimed: Attemptable, integration: OpenIntegration) => void;
  /** What became of it is written down, or will never be: whose order matters may go on. */
  readonly isOver: (ids: readonly string[]) => void;
  /** What this instance has claimed and not finished. */
  readonly underWay: () => string[];
  /** When all attempts have ended. */
  readonly settled: () => Promise<void>;
  readonly isBusy: () => boolean;
  /** Begins no other attempt: what has not begun is given back. */
  readonly close: () => void;
  /** Ends all attempts; what becomes of them is not written down. */
  readonly abort: () => void;
}

/** Makes attempts, so many at a time, evenly. */
export function createSender(options: SenderOptions): Sender {
  const { outgoing, timeoutMs, clock, log, isAdministrators, onEnd } = options;
  const slots = createSlots();
  const pace = createPace();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  /** Of deliveries in order: a slot is free again once it is written down what became of the one before. */
  const held = new Map<string, number>();
  const underWay = new Set<string>();
  let closing = false;

  async function send(claimed: Attemptable, integration: OpenIntegration): Promise<void> {
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
      isAdministrators: () => isAdministrators(integration),
    });
    if (attempted.fault) log.error({ err: attempted.fault, record: id }, 'an attempt went wrong');
    const now = clock();
    const { retryAfterMs, gone } = attempted.verdict;
    const entry: Entry = {
      ...outcomeOf(claimed, attempted, now),
      ...(retryAfterMs && { holdUntil: new Date(now.getTime() + patience(retryAfterMs)) }),
      ...(gone && { gone }),
    };
    if (integration.inOrder) held.set(id, integration.id);
    else slots.give(integration.id, attempted.latencyMs >= timeoutMs);
    // Cut short by us: it is given back, and sent again by whoever runs next.
    if (signal.aborted && attempted.verdict.state === 'failed') return;
    onEnd(entry);
  }

  return {
    slots,
    start(claimed, integration) {
      slots.take(integration.id);
      underWay.add(claimed.id);
      const task = new Promise<void>((resolve) => pace.begin(integration.id, resolve))
        .then(() => (closing ? undefined : send(claimed, integration)))
        .catch((error) => {
          // A fault of ours: it is lost sight of, and freed as such a minute later.
          log.error({ err: error, record: claimed.id }, 'an attempt went wrong');
          underWay.delete(claimed.id);
          slots.give(integration.id, false);
        })
        .finally(() => running.delete(task));
      running.add(task);
    },
    isOver(ids) {
      for (const id of ids) {
        underWay.delete(id);
        const integrationId = held.get(id);
        held.delete(id);
        if (integrationId !== undefined) slots.give(integrationId, false);
      }
    },
    underWay: () => [...underWay],
    settled: async () => {
      await Promise.all(running);
    },
    isBusy: () => running.size > 0,
    close() {
      closing = true;
      pace.hurry();
    },
    abort: () => stopping.abort(),
  };
}
