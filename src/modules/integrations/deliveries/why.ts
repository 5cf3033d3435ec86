import type { Attempt } from '../delivery/attempt-schema.ts';
import { maxAttempts } from '../delivery/retry-schedule.ts';
import type { DeliveryState } from './deliveries-contract.ts';
import type { IntegrationState } from './integration.ts';

interface DeliveryStatus {
  readonly state: DeliveryState;
  readonly eventId: number;
  readonly tries: number;
  readonly isBeingSent: boolean;
  readonly outcome: 'success' | 'successWithErrors' | 'failed' | null;
  readonly stateDetails: string;
  readonly last: Pick<Attempt, 'state' | 'status' | 'error'> | null;
}

interface QueueState {
  readonly integration: IntegrationState;
  /** The oldest event whose delivery is still pending. */
  readonly oldestPending: number | null;
  readonly now: Date;
}

const countAttempts = (attempts: number) => (attempts === 1 ? '1 attempt' : `${attempts} attempts`);

/** State details have several lines; here they follow a colon. */
const inline = (details: string) => details.replaceAll('\n', ' ').replace(/\.$/, '');

const describeFailure = ({ last, stateDetails }: DeliveryStatus): string => {
  if (last?.error !== undefined) return `Last attempt failed: ${inline(last.error)}`;
  if (last?.state === 'failed' && last.status !== undefined && last.status >= 300) {
    return `Last attempt returned ${last.status}`;
  }
  return `Last attempt failed: ${inline(stateDetails)}`;
};

function explainPending(
  delivery: DeliveryStatus,
  { integration, oldestPending, now }: QueueState,
): string {
  if (delivery.isBeingSent) return 'Sending';
  if (!integration.enabled) return 'Integration disabled';
  if (integration.paused) return 'Integration paused';
  if (integration.heldUntil !== null && integration.heldUntil > now) {
    return 'Throttled by the endpoint';
  }
  if (integration.inOrder && oldestPending !== null && delivery.eventId > oldestPending) {
    return 'Waiting for an earlier event (in-order delivery)';
  }
  if (delivery.last?.state === 'interrupted') {
    return 'Retrying: the server stopped during the last attempt';
  }
  if (delivery.tries > 0) {
    return `Attempt ${delivery.tries + 1} of ${maxAttempts} scheduled. ${describeFailure(delivery)}`;
  }
  return delivery.last === null ? 'Queued' : 'Redelivery queued';
}

/** Explains the state of a delivery in a sentence. */
export function explainState(delivery: DeliveryStatus, queue: QueueState): string {
  if (delivery.state === 'pending') return explainPending(delivery, queue);
  if (delivery.state === 'delivered') {
    return delivery.outcome === 'successWithErrors'
      ? `Partially delivered: ${inline(delivery.stateDetails)}`
      : 'Delivered';
  }
  const reason = inline(delivery.stateDetails);
  return delivery.tries === 0
    ? `Failed: ${reason}`
    : `Failed after ${countAttempts(delivery.tries)}: ${reason}`;
}
