import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { OpenIntegration } from '../configuration/open.ts';
import { createVisibilityCache } from '../configuration/responsible.ts';
import type { IntegrationEvent } from '../providers/provider.ts';
import { matches } from './matching.ts';
import {
  insertDeliveries,
  listDeletions,
  listPendingEvents,
  type NewDelivery,
  type PendingEvent,
} from './queries/fan-out.ts';
import { updateTrouble } from './queries/finish.ts';
import { type Progress, updateProgress } from './queries/progress.ts';
import { newRecordId } from './record-id.ts';
import { isVisibleTo } from './visibility.ts';

/** Events in one transaction. */
const batchSize = 200;
/** Characters in one transaction: 500 large events for 100 integrations would not fit into memory. */
const maxCharacters = 8_000_000;
/** Characters in one insert: one event may be large, and 100 integrations may match it. */
const maxUnwritten = 1_000_000;
/** The time of one transaction, without its last event. A change of an integration waits for it. */
const longestBatchMs = 100;
/** Yields after this time: a change of an integration fans out on the thread that answers requests. */
const longestTurnMs = 20;

/** Without deliveries the mark is moved only after this many events. Otherwise every event would cost a write. */
const maxLag = 1_000;

export interface FanOutOptions {
  readonly integrations: readonly OpenIntegration[];
  readonly baseUrl: string;
  /** The instance that sends a new delivery at once; null: the first one that claims it. */
  readonly claimFor?: (integration: OpenIntegration) => number | null;
  readonly leasedUntil: Date;
}

export interface FanOutResult {
  readonly deliveries: readonly NewDelivery[];
  /** Whether there are more events than fit into one transaction. */
  readonly more: boolean;
}

/**
 * A message that cannot be composed does not stop the fan-out. Its delivery is stored as given up, with the reason.
 */
function composeMessage(
  { provider, plain }: OpenIntegration,
  event: IntegrationEvent,
  baseUrl: string,
): Pick<NewDelivery, 'message' | 'problem'> {
  try {
    return { message: provider.compose(event, plain, { baseUrl }), problem: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { message: {}, problem: `Couldn't build the message: ${reason}` };
  }
}

const toDelivery = (
  integration: OpenIntegration,
  event: IntegrationEvent,
  { baseUrl, claimFor = () => null }: FanOutOptions,
  now: Date,
): NewDelivery => {
  const composed = composeMessage(integration, event, baseUrl);
  return {
    id: newRecordId(now),
    integrationId: integration.id,
    eventId: event.id,
    eventType: event.type,
    project: event.project,
    ...composed,
    owner: composed.problem === null ? claimFor(integration) : null,
  };
};

/** When the projects in the filters of integrations were deleted, as far as it matters for these events. */
async function findDeletions(
  db: Db,
  events: readonly PendingEvent[],
  integrations: readonly OpenIntegration[],
): Promise<(project: string | null, before: number) => number> {
  const withProjectFilter = integrations.filter(
    ({ enabled, projects }) => enabled && projects.length > 0,
  );
  const projectsInFilters = new Set(withProjectFilter.flatMap(({ projects }) => projects));
  const projects = [...new Set(events.map(({ project }) => project ?? ''))].filter((id) =>
    projectsInFilters.has(id),
  );
  const since = Math.min(...withProjectFilter.map(({ namedAfter }) => namedAfter));
  const deletions = projects.length > 0 ? await listDeletions(db, projects, since) : [];
  return (project, before) =>
    deletions.findLast((each) => each.project === project && each.eventId < before)?.eventId ?? 0;
}

/** Finds the integrations that match an event and may report it at this moment. */
function createSelection(tx: Tx, deletedAt: Awaited<ReturnType<typeof findDeletions>>) {
  const findSight = createVisibilityCache(tx.db, tx.now);
  return async (
    { event, ...visibility }: PendingEvent,
    integrations: readonly OpenIntegration[],
  ): Promise<OpenIntegration[]> => {
    const subject = { ...event, projectDeletedAt: deletedAt(event.project, event.id) };
    const matching = integrations.filter((integration) => matches(integration, subject));
    // Everyone may see the event, so no account has to be looked up.
    if (visibility.isOpen) return matching;
    const visible: OpenIntegration[] = [];
    for (const integration of matching) {
      if (isVisibleTo(await findSight(integration.responsible), visibility))
        visible.push(integration);
    }
    return visible;
  };
}

/**
 * Stores the deliveries of the events since the mark, and moves the mark, in one transaction. So each event is fanned
 * out exactly once, even after a crash.
 */
export async function fanOut(
  tx: Tx,
  progress: Progress,
  options: FanOutOptions,
): Promise<FanOutResult> {
  const types = [
    ...new Set(options.integrations.flatMap(({ enabled, events }) => (enabled ? events : []))),
  ];
  const { eventId: after, head } = progress;
  const events =
    types.length === 0 || head <= after
      ? []
      : await listPendingEvents(tx.db, { after, upTo: head, types, limit: batchSize });
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
      const delivery = toDelivery(integration, each.event, options, tx.now);
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
  const upTo = more ? (events[handled - 1] as PendingEvent).event.id : head;
  for (const { id, integrationId, problem } of deliveries) {
    if (problem === null) continue;
    const at = tx.now.toISOString();
    await updateTrouble(tx.db, integrationId, { at, recordId: id, message: problem });
  }
  // With more events to come the mark always moves. Otherwise the next transaction would read the same ones again.
  if (deliveries.length > 0 || more || upTo - after > maxLag) await updateProgress(tx, upTo);
  return { deliveries, more };
}
