import type { Actor } from '../../../platform/actor.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { invalidOperation } from '../../../platform/errors.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts';
import { type OpenIntegration, openIntegrations } from '../configuration/open.ts';
import { findVisibility } from '../configuration/responsible.ts';
import type { DeliveryResult } from '../deliveries/contract.ts';
import { getIntegration } from '../deliveries/integration.ts';
import { detailsOf } from '../deliveries/record.ts';
import { attemptOnce } from '../delivery/attempt-once.ts';
import { newRecordId } from '../delivery/record-id.ts';
import type { Message } from '../providers/provider.ts';
import { testEvent } from './test-event.ts';

interface TestSettings {
  readonly encryptionKeys: readonly Buffer[];
  readonly baseUrl: string;
  readonly deliveryTimeoutMs: number;
}

async function getOpen(
  db: Db,
  actor: Actor,
  id: string,
  keys: readonly Buffer[],
): Promise<OpenIntegration> {
  const integration = await getIntegration(db, actor, id);
  const open = (await openIntegrations(db, keys)).find((each) => each.id === integration.id);
  if (open) return open;
  throw invalidOperation(
    `This version of Burgee doesn't support the ${integration.provider} provider`,
  );
}

/** Sends a test event in the same way as a real one. */
export async function sendTest(
  db: Db,
  actor: Actor,
  id: string,
  {
    settings,
    outgoing,
    clock,
  }: { readonly settings: TestSettings; readonly outgoing: Outgoing; readonly clock: Clock },
): Promise<DeliveryResult> {
  const integration = await getOpen(db, actor, id, settings.encryptionKeys);
  const { provider, plain } = integration;
  let message: Message;
  try {
    const event = testEvent(integration, actor, clock());
    message = provider.compose(event, plain, { baseUrl: settings.baseUrl });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      state: 'failed',
      stateDetails: `Couldn't build the message: ${reason}`,
      details: { attempts: [] },
    };
  }
  const { attempt, verdict, target } = await attemptOnce({
    integration,
    id: newRecordId(clock()),
    message,
    outgoing,
    timeoutMs: settings.deliveryTimeoutMs,
    clock,
    isOwnedByAdministrator: async () => {
      const { sees } = await findVisibility(db, integration.responsible, clock());
      return sees === 'all';
    },
  });
  return {
    state: verdict.state,
    stateDetails: verdict.details,
    details: detailsOf(provider, { message, target, attempts: [attempt] }),
  };
}
