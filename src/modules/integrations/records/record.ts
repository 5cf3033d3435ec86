import type { Attempt } from '../delivery/attempt-schema.ts';
import type { Message, Provider } from '../providers/provider.ts';
import type { StoredRecord } from './record-queries.ts';

interface Said {
  readonly message: Message;
  readonly target: string | null;
  readonly attempts: readonly Attempt[];
}

/** The provider's own words at the top, where they went and what became of it beside them. */
export const detailsOf = (
  provider: Provider | undefined,
  { message, target, attempts }: Said,
): { readonly attempts: readonly Attempt[] } => ({
  // What was erased has nothing to show.
  ...(Object.keys(message).length > 0 && (provider?.shown?.(message) ?? message)),
  ...(target !== null && { url: target }),
  attempts,
});

/** The JSON of a record, after the specification's 2.9. Its event is ready when it comes. */
export function recordJson(
  integrationId: number,
  provider: Provider | undefined,
  { event, ...record }: StoredRecord,
): string {
  const { id, createdAt, state, stateDetails } = record;
  const head = JSON.stringify({ id, integrationId, createdAt, state, stateDetails });
  const details = JSON.stringify(detailsOf(provider, record));
  return `${head.slice(0, -1)},"event":${event},"details":${details}}`;
}
