import type { Attempt } from '../delivery/attempt-schema.ts';
import { maxAttempts } from '../delivery/schedule.ts';
import type { DeliveryState } from './deliveries-contract.ts';
import type { Receiver } from './integration.ts';

interface Waiting {
  readonly state: DeliveryState;
  readonly eventId: number;
  readonly tries: number;
  readonly isBeingSent: boolean;
  readonly outcome: 'success' | 'successWithErrors' | 'failed' | null;
  readonly stateDetails: string;
  readonly last: Pick<Attempt, 'state' | 'status' | 'error'> | null;
}

interface QueueState {
  readonly receiver: Receiver;
  /** The oldest event that is neither delivered nor given up. */
  readonly oldestPending: number | null;
  readonly now: Date;
}

const counted = (attempts: number) => (attempts === 1 ? '1 attempt' : `${attempts} attempts`);

/** State details are lines; here they follow a colon. */
const inline = (details: string) => details.replaceAll('\n', ' ').replace(/\.$/, '');

const failure = ({ last, stateDetails }: Waiting): string => {
  if (last?.error !== undefined) return `the last one failed: ${inline(last.error)}`;
  if (last?.state === 'failed' && last.status !== undefined && last.status >= 300) {
    return `the last one failed with status ${last.status}`;
  }
  return `the last one failed: ${inline(stateDetails)}`;
};

function whyPending(delivery: Waiting, { receiver, oldestPending, now }: QueueState): string {
  if (delivery.isBeingSent) return 'Is being sent now';
  if (!receiver.enabled) return 'The integration is off';
  if (receiver.paused) return 'The integration is paused';
  if (receiver.heldUntil !== null && receiver.heldUntil > now) {
    return `The receiver asked to wait until ${receiver.heldUntil.toISOString()}`;
  }
  if (receiver.inOrder && oldestPending !== null && delivery.eventId > oldestPending) {
    return 'Waits for an older event: this integration is told in order';
  }
  if (delivery.last?.state === 'interrupted') {
    return 'Waits to be sent again: the server ended during the last attempt';
  }
  if (delivery.tries > 0) {
    return `Waits for attempt ${delivery.tries + 1} of ${maxAttempts}: ${failure(delivery)}`;
  }
  return delivery.last === null
    ? 'Waits for its first attempt'
    : 'Waits to be sent again, as somebody asked for';
}

/** Why a delivery is where it is, in a sentence. */
export function whyOf(delivery: Waiting, surroundings: QueueState): string {
  if (delivery.state === 'pending') return whyPending(delivery, surroundings);
  if (delivery.state === 'delivered') {
    return delivery.outcome === 'successWithErrors'
      ? `Delivered, with a part wrong: ${inline(delivery.stateDetails)}`
      : 'Delivered';
  }
  const reason = inline(delivery.stateDetails);
  return delivery.tries === 0
    ? `Given up: ${reason}`
    : `Given up after ${counted(delivery.tries)}: ${reason}`;
}
