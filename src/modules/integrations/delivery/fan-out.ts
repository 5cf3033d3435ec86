import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { OpenIntegration } from '../configuration/open.ts';
import { createSights } from '../configuration/responsible.ts';
import type { ToldEvent } from '../providers/provider.ts';
import { concerns } from './matching.ts';
import {
  type EventToTell,
  insertDeliveries,
  listDeletions,
  listEventsToTell,
  type NewDelivery,
} from './queries/fan-out.ts';
import { updateTrouble } from './queries/finish.ts';
import { type Progress, updateProgress } from './queries/progress.ts';
import { newRecordId } from './record-id.ts';
import { mayTell } from './visibility.ts';

/** So many events are looked at in one transaction, */
const batchSize = 200;
/** and so much is said in it: 500 large events for 100 integrations would not fit into any memory. */
const maxCharacters = 8_000_000;
/** So much goes to the database at once: one event may be large, and all of 100 integrations may want it. */
const maxUnwritten = 1_000_000;
/** So long one transaction takes, apart from its last event: whoever changes an integration waits for it. */
const longestBatchMs = 100;
/** After so long others get their turn: a change of an integration does this on the thread that answers requests. */
const longestTurnMs = 20;

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

const deliveryOf = (
  integration: OpenIntegration,
  event: ToldEvent,
  { baseUrl, claimFor = () => null }: FanOut,
  now: Date,
): NewDelivery => {
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
};

/** When projects that integrations name were deleted, as far as these events are behind it. */
async function findDeletions(
  db: Db,
  events: readonly EventToTell[],
  integrations: readonly OpenIntegration[],
): Promise<(project: string | null, before: number) => number> {
  const naming = integrations.filter(({ enabled, projects }) => enabled && projects.length > 0);
  const named = new Set(naming.flatMap(({ projects }) => projects));
  const projects = [...new Set(events.map(({ project }) => project ?? ''))].filter((id) =>
    named.has(id),
  );
  const since = Math.min(...naming.map(({ namedAfter }) => namedAfter));
  const deletions = projects.length > 0 ? await listDeletions(db, projects, since) : [];
  return (project, before) =>
    deletions.findLast((each) => each.project === project && each.eventId < before)?.eventId ?? 0;
}

/** Which integrations ask for an event, and may be told of it as things are now. */
function createSelection(tx: Tx, deletedAt: Awaited<ReturnType<typeof findDeletions>>) {
  const findSight = createSights(tx.db, tx.now);
  return async (
    { event, ...visibility }: EventToTell,
    integrations: readonly OpenIntegration[],
  ): Promise<OpenIntegration[]> => {
    const subject = { ...event, projectDeletedAt: deletedAt(event.project, event.id) };
    const asking = integrations.filter((integration) => concerns(integration, subject));
    // Of what everybody may know nobody has to be looked up.
    if (visibility.isOpen) return asking;
    const told: OpenIntegration[] = [];
    for (const integration of asking) {
      if (mayTell(await findSight(integration.responsible), visibility)) told.push(integration);
    }
    return told;
  };
}

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
  let texts: string[] = [];
  let [characters, unwritten, handled] = [0, 0, 0];
  const began = performance.now();
  let turnBegan = began;
  const write = async () => {
    await insertDeliveries(tx, texts, options.leasedUntil);
    texts = [];
    unwritten = 0;
  };
  const { integrations } = options;
  const select = createSelection(tx, await findDeletions(tx.db, events, integrations));
  for (const each of events) {
    const isLong = performance.now() - began > longestBatchMs;
    if (handled > 0 && (isLong || characters > maxCharacters)) break;
    for (const integration of await select(each, integrations)) {
      const delivery = deliveryOf(integration, each.event, options, tx.now);
      const text = JSON.stringify(delivery);
      deliveries.push(delivery);
      texts.push(text);
      characters += text.length;
      unwritten += text.length;
      if (unwritten > maxUnwritten) await write();
      if (performance.now() - turnBegan > longestTurnMs) {
        await nextTurn();
        turnBegan = performance.now();
      }
    }
    handled += 1;
  }
  if (texts.length > 0) await write();
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
