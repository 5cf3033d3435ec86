import type { Tx } from '../../../platform/db/database.ts';
import type {
  Outgoing,
  OutgoingAnswer,
  OutgoingRequest,
} from '../../../platform/outgoing/outgoing.ts';
import { openIntegrations } from '../configuration/open.ts';
import type { Installation } from '../configuration/stored.ts';
import { type AttemptResult, attemptOnce } from './attempt-once.ts';
import { fanOutBeforeChange } from './fan-out-before-change.ts';
import { outcomeOf } from './outcome.ts';
import { claimDue } from './queries/claim.ts';
import { clearTrouble, updateOutcomes, updateTrouble } from './queries/finish.ts';

/** What a receiver that is only imagined answers, and after how long. */
interface ImaginedAnswer extends OutgoingAnswer {
  readonly latencyMs: number;
}

export type ImaginedReceiver = (request: OutgoingRequest) => ImaginedAnswer;

/** Deliveries are claimed and finished in one transaction, so that no instance meets this owner. */
const owner = 1;
const leaseMs = 60_000;
/** More than a demo has. */
const manySlots = 10_000;

/** The attempt as if it had taken as long as the receiver says. */
const lasting = (result: AttemptResult, latencyMs: number): AttemptResult => ({
  ...result,
  latencyMs,
  attempt: {
    ...result.attempt,
    latencyMs,
    exchanges: result.attempt.exchanges.map((exchange) => ({ ...exchange, latencyMs })),
  },
});

/**
 * Delivers everything that is due at the time of the transaction to imagined receivers: the demo has a past, and
 * nothing of it is sent. Messages, verdicts, retries and records are made as for real ones. Ordered integrations are
 * left out.
 */
export async function deliverWith(
  tx: Tx,
  installation: Installation,
  receive: ImaginedReceiver,
): Promise<void> {
  await fanOutBeforeChange(tx, installation);
  const integrations = await openIntegrations(tx.db, installation.encryptionKeys);
  const claimed = await claimDue(
    tx.db,
    { owner, now: tx.now, leasedUntil: new Date(tx.now.getTime() + leaseMs) },
    integrations
      .filter(({ inOrder }) => !inOrder)
      .map(({ id }) => ({ integrationId: id, free: manySlots })),
  );
  for (const delivery of claimed) {
    const integration = integrations.find(({ id }) => id === delivery.integrationId);
    if (!integration) continue;
    let latencyMs = 0;
    const outgoing: Outgoing = {
      send: async (request) => {
        const { latencyMs: took, ...answer } = receive(request);
        latencyMs += took;
        return answer;
      },
      close: () => undefined,
    };
    const result = await attemptOnce({
      integration,
      ...delivery,
      outgoing,
      timeoutMs: leaseMs,
      clock: () => tx.now,
      isOwnedByAdministrator: async () => true,
    });
    const outcome = outcomeOf(delivery, lasting(result, latencyMs), tx.now);
    await updateOutcomes(tx.db, owner, [outcome]);
    const { id, integrationId, state, stateDetails: message } = outcome;
    if (state === 'delivered') await clearTrouble(tx.db, integrationId, id);
    if (state === 'givenUp') {
      const at = tx.now.toISOString();
      await updateTrouble(tx.db, integrationId, { at, recordId: id, message });
    }
  }
}
