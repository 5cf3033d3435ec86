import type { Attempt } from '../delivery/attempt-schema.ts';
import type { Message, Provider } from '../providers/provider.ts';
import type { StoredRecord } from './record-queries.ts';

interface StoredMessage {
  readonly message: Message;
  readonly target: string | null;
  readonly attempts: readonly Attempt[];
}

/** The message of the provider, with its target and attempts. */
export const detailsOf = (
  provider: Provider | undefined,
  { message, target, attempts }: StoredMessage,
): { readonly attempts: readonly Attempt[] } => ({
  // An erased message is empty.
  ...(Object.keys(message).length > 0 && (provider?.toRecord?.(message) ?? message)),
  ...(target !== null && { url: target }),
  attempts,
});

/** The JSON of a record, see section 2.9 of the specification. Its event already is JSON. */
export function recordJson(
  integrationId: number,
  provider: Provider | undefined,
  { event, ...record }: StoredRecord,
): string {
  const { id, createdAt, state, stateDetails, redeliveredAt, redeliveredBy } = record;
  const head = JSON.stringify({
    id,
    integrationId,
    createdAt,
    state,
    stateDetails,
    ...(redeliveredAt !== null && { redeliveredAt }),
    ...(redeliveredBy !== null && { redeliveredBy }),
  });
  const details = JSON.stringify(detailsOf(provider, record));
  return `${head.slice(0, -1)},"event":${event},"details":${details}}`;
}
