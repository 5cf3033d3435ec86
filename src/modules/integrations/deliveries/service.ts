import type { Actor } from '../../../platform/actor.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../platform/errors.ts';
import { pathId } from '../../../platform/http/path-id.ts';
import type { Integration } from '../configuration/integration-schema.ts';
import { findVisibility } from '../configuration/responsible.ts';
import {
  getIntegrationFor,
  pauseIntegration,
  resumeIntegration,
} from '../configuration/service.ts';
import type { Installation } from '../configuration/stored.ts';
import { notifyDeliveries } from '../delivery/queries/progress.ts';
import { maxAttempts } from '../delivery/retry-schedule.ts';
import { findProvider } from '../providers/catalogue.ts';
import type {
  Delivery,
  DeliveryState,
  Redelivery,
  RedeliveryTask,
  Statistics,
} from './deliveries-contract.ts';
import {
  countPending,
  findDelivery,
  findOldestPending,
  listDeliveries,
  type StoredDelivery,
} from './delivery-queries.ts';
import type { DeliveryFilter, Page, RecordFilter, RedeliveryFilter } from './filter.ts';
import { getIntegration, type IntegrationState } from './integration.ts';
import { renderList, splitPage } from './page.ts';
import { recordJson } from './record.ts';
import { findRecord, listPageOfRecords, listRecords, type Reader } from './record-queries.ts';
import {
  listRedeliveries,
  lockDeliveries,
  lockDelivery,
  updateToPending,
  updateToRetryNow,
} from './redeliver-queries.ts';
import { readStatistics } from './statistics.ts';
import { explainState } from './why.ts';

const readerOf = (actor: Actor): Reader => ({ sees: actor.sees, ip: actor.may('ADMIN') });

/** PostgreSQL rejects an id that is no UUID. */
const isRecordId = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

/**
 * Returns JSON, in pieces if it is long: a thousand records with large messages would fill the memory and block other
 * requests.
 */
export async function searchRecords(
  db: Db,
  actor: Actor,
  id: string,
  filter: RecordFilter,
  page: Page,
): Promise<string | AsyncGenerator<string>> {
  const integration = await getIntegration(db, actor, id);
  const provider = findProvider(integration.provider);
  const recordsInPage = await listPageOfRecords(db, integration.id, filter, page, actor.sees);
  return renderList('integrationEvents', splitPage(recordsInPage), async (eventIds) => {
    const records = await listRecords(db, integration.id, eventIds, readerOf(actor));
    return records.map((record) => recordJson(integration.id, provider, record));
  });
}

/** Returns JSON. */
export async function getRecord(
  db: Db,
  actor: Actor,
  id: string,
  recordId: string,
): Promise<string> {
  const integration = await getIntegration(db, actor, id);
  const record = isRecordId(recordId)
    ? await findRecord(db, integration.id, recordId, readerOf(actor))
    : undefined;
  if (!record) throw notFound('delivery', recordId);
  return recordJson(integration.id, findProvider(integration.provider), record);
}

/** A delivery as the API returns it. */
export const deliveryOf = (
  { tries, last, outcome, stateDetails, isBeingSent, ...row }: StoredDelivery,
  queue: { integration: IntegrationState; oldestPending: number | null; now: Date },
): Delivery => ({
  id: row.id,
  integrationId: queue.integration.id,
  eventId: row.eventId,
  eventType: row.eventType,
  ...(row.featureName !== null && { featureName: row.featureName }),
  ...(row.project !== null && { project: row.project }),
  ...(row.environment !== null && { environment: row.environment }),
  createdAt: row.createdAt.toISOString(),
  state: row.state,
  attempts: tries,
  maxAttempts,
  ...(row.lastAttemptAt && { lastAttemptAt: row.lastAttemptAt.toISOString() }),
  ...(row.nextAttemptAt &&
    queue.integration.enabled &&
    !queue.integration.paused && { nextAttemptAt: row.nextAttemptAt.toISOString() }),
  why: explainState({ ...row, tries, last, outcome, stateDetails, isBeingSent }, queue),
});

export async function searchDeliveries(
  db: Db,
  actor: Actor,
  id: string,
  {
    filter,
    page,
    now,
  }: {
    filter: DeliveryFilter & { readonly state: DeliveryState | undefined };
    page: Page;
    now: Date;
  },
): Promise<{ deliveries: Delivery[]; total: { pending: number } }> {
  const integration = await getIntegration(db, actor, id);
  const rows = await listDeliveries(db, integration.id, filter, page, actor.sees);
  const oldestPending = await findOldestPending(db, integration.id);
  return {
    deliveries: rows.map((row) => deliveryOf(row, { integration, oldestPending, now })),
    total: { pending: await countPending(db, integration.id, actor.sees) },
  };
}

/** Sends an event again, with the same id and message. A pending delivery becomes due now. */
export async function redeliver(tx: Tx, id: string, recordId: string): Promise<Delivery> {
  const integration = await getIntegration(tx.db, tx.actor, id);
  const sight = await findVisibility(tx.db, integration.responsible, tx.now);
  const found = isRecordId(recordId)
    ? await lockDelivery(tx, integration.id, recordId, sight)
    : undefined;
  if (!found) throw notFound('delivery', recordId);
  if (!found.hasMessage) {
    throw invalidOperation(
      "Nothing to send: the message was erased with a user or couldn't be built",
    );
  }
  if (!found.isVisible) {
    throw invalidOperation(
      "The account that last saved the integration can't see this event. Have someone with access save the integration, then redeliver",
    );
  }
  if (found.state !== 'pending') await updateToPending(tx, [recordId]);
  else if (!found.isBeingSent) await updateToRetryNow(tx, [recordId]);
  await notifyDeliveries(tx);
  const row = await findDelivery(tx.db, integration.id, recordId, tx.actor.sees);
  const oldestPending = await findOldestPending(tx.db, integration.id);
  return deliveryOf(row as StoredDelivery, { integration, oldestPending, now: tx.now });
}

/** One transaction locks at most this many rows, which takes a second. */
const maxRedelivered = 10_000;

const statesOf: Readonly<Record<Redelivery['state'], readonly DeliveryState[]>> = {
  givenUp: ['givenUp'],
  delivered: ['delivered'],
  all: ['givenUp', 'delivered'],
  failed: ['givenUp'],
};

/** The later of the first day and the time. */
const sinceOf = ({ since }: Redelivery, { since: day = 0 }: RedeliveryFilter) =>
  since ? { since: Math.max(day, Date.parse(since)) } : {};

export async function redeliverMany(
  tx: Tx,
  id: string,
  body: Redelivery,
  filter: RedeliveryFilter,
): Promise<{ redelivered: number; more: boolean; startedAt?: string; lastEvent?: number }> {
  const integration = await getIntegration(tx.db, tx.actor, id);
  const found = await lockDeliveries(tx, integration.id, {
    ...filter,
    ...sinceOf(body, filter),
    ...(body.ids && { ids: body.ids }),
    states: statesOf[body.state],
    retrying: body.retrying,
    afterEvent: body.afterEvent ?? 0,
    limit: maxRedelivered + 1,
    sight: await findVisibility(tx.db, integration.responsible, tx.now),
  });
  const chosen = found.slice(0, maxRedelivered);
  const last = chosen.at(-1);
  if (!last) return { redelivered: 0, more: false };
  const idsOf = (deliveries: typeof chosen) => deliveries.map((delivery) => delivery.id);
  await updateToRetryNow(tx, idsOf(chosen.filter(({ state }) => state === 'pending')));
  await updateToPending(tx, idsOf(chosen.filter(({ state }) => state !== 'pending')));
  await notifyDeliveries(tx);
  return {
    redelivered: chosen.length,
    startedAt: tx.now.toISOString(),
    more: found.length > chosen.length,
    lastEvent: last.eventId,
  };
}

export async function searchRedeliveries(
  db: Db,
  actor: Actor,
  id: string,
  now: Date,
): Promise<{ redeliveries: RedeliveryTask[] }> {
  const integration = await getIntegration(db, actor, id);
  return { redeliveries: await listRedeliveries(db, integration.id, { sees: actor.sees, now }) };
}

export async function pause(tx: Tx, installation: Installation, id: string): Promise<Integration> {
  const integrationId = pathId('integration', id);
  await pauseIntegration(tx, installation, integrationId);
  return getIntegrationFor(tx.db, tx.actor, integrationId, tx.now);
}

export async function resume(tx: Tx, installation: Installation, id: string): Promise<Integration> {
  const integrationId = pathId('integration', id);
  await resumeIntegration(tx, installation, integrationId);
  await notifyDeliveries(tx);
  return getIntegrationFor(tx.db, tx.actor, integrationId, tx.now);
}

const hourMs = 60 * 60 * 1000;

export async function getStatistics(
  db: Db,
  actor: Actor,
  id: string,
  { hours, now }: { hours: number; now: Date },
): Promise<Statistics> {
  const { id: integrationId } = await getIntegration(db, actor, id);
  const from = new Date(now.getTime() - hours * hourMs);
  return readStatistics(db, integrationId, { from, to: now, sees: actor.sees });
}
