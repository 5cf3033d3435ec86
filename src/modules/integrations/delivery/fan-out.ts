import type { Tx } from '../../../platform/db/database.ts';
import type { OpenIntegration } from '../configuration/open.ts';
import type { ToldEvent } from '../providers/provider.ts';
import { concerns } from './matching.ts';
import {
  type EventToTell,
  insertDeliveries,
  listEventsToTell,
  type NewDelivery,
} from './queries/fan-out.ts';
import { updateTrouble } from './queries/finish.ts';
import { type Progress, updateProgress } from './queries/progress.ts';
import { newRecordId } from './record-id.ts';

/** So many events are looked at in one transaction, */
const batchSize = 200;
/** and so much is said in it: 500 large events for 100 integrations would not fit into any memory. */
const maxCharacters = 8_000_000;

/** While nobody had to be told, the mark is moved only so often: every event would cost a write otherwise. */
const maxLag = 1_000;

export interface FanOut {
  readonly integrations: readonly OpenIntegration[];
  readonly baseUrl: string;
  /** Who sends a new delivery at once; null: whoever claims it first. */
  readonly claimFor?: (integration: OpenIntegration) => number | null;
  readonly leasedUntil: Date;
}

export interface FannedOut {
  readonly deliveries: readonly NewDelivery[];
  /** Whether there are more events than one transaction takes. */
  readonly more: boolean;
}

/** A message that cannot be made is no reason to stop: it is written down that, and why, it was not. */
function composed(
  { provider, plain }: OpenIntegration,
  event: ToldEvent,
  baseUrl: string,
): Pick<NewDelivery, 'message' | 'problem'> {
  try {
    return { message: provider.compose(event, plain, { baseUrl }), problem: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { message: {}, problem: `The message could not be composed: ${reason}` };
  }
}

const deliveriesOf = (
  { event, isOpen }: EventToTell,
  { integrations, baseUrl, claimFor = () => null }: FanOut,
  now: Date,
): NewDelivery[] =>
  integrations
    .filter((integration) => concerns(integration, { ...event, isOpen }))
    .map((integration) => {
      const words = composed(integration, event, baseUrl);
      return {
        id: newRecordId(now),
        integrationId: integration.id,
        eventId: event.id,
        eventType: event.type,
        project: event.project,
        ...words,
        owner: words.problem === null ? claimFor(integration) : null,
      };
    });

/**
 * Writes down who is to be told of what happened since the mark, and moves it, in one transaction: an event
 * is fanned out once, whatever dies when.
 */
export async function fanOut(tx: Tx, progress: Progress, options: FanOut): Promise<FannedOut> {
  const types = [
    ...new Set(options.integrations.flatMap(({ enabled, events }) => (enabled ? events : []))),
  ];
  const { eventId: after, head } = progress;
  const events =
    types.length === 0 || head <= after
      ? []
      : await listEventsToTell(tx.db, { after, upTo: head, types, limit: batchSize });
  const deliveries: NewDelivery[] = [];
  const texts: string[] = [];
  let characters = 0;
  let handled = 0;
  for (const each of events) {
    if (characters > maxCharacters) break;
    for (const delivery of deliveriesOf(each, options, tx.now)) {
      const text = JSON.stringify(delivery);
      deliveries.push(delivery);
      texts.push(text);
      characters += text.length;
    }
    handled += 1;
  }
  if (texts.length > 0) await insertDeliveries(tx, texts, options.leasedUntil);
  const more = handled < events.length || events.length === batchSize;
  const upTo = more ? (events[handled - 1] as EventToTell).event.id : head;
  for (const { id, integrationId, problem } of deliveries) {
    if (problem === null) continue;
    const at = tx.now.toISOString();
    await updateTrouble(tx.db, integrationId, { at, recordId: id, message: problem });
  }
  // Where there is more, the next look begins behind this one: it would find the same for ever otherwise.
  if (deliveries.length > 0 || more || upTo - after > maxLag) await updateProgress(tx, upTo);
  return { deliveries, more };
}
