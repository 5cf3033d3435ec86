import type { Actor } from '../../../platform/actor.ts';
import { dayMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { isHidden } from '../configuration/present.ts';
import { createVisibilityCache } from '../configuration/responsible.ts';
import type { Delivery } from '../deliveries/deliveries-contract.ts';
import {
  findOldestPending,
  listDeliveriesOfEvent,
  type StoredDelivery,
} from '../deliveries/delivery-queries.ts';
import { deliveryOf } from '../deliveries/service.ts';
import { isVisibleTo } from '../delivery/visibility.ts';
import type { IntegrationOfEvent } from './contract.ts';
import {
  type EventFacts,
  findEventFacts,
  findFannedOut,
  type IntegrationFacts,
  type LoggedSettings,
  listCreatedLater,
  listIntegrationFacts,
  listSettingsAt,
} from './queries.ts';
import { findHindrance } from './reason.ts';

type Outcome = Pick<IntegrationOfEvent, 'outcome' | 'reason' | 'why' | 'delivery'>;

const outcomeOf = ({ state, outcome }: StoredDelivery): IntegrationOfEvent['outcome'] => {
  if (state === 'delivered') return 'delivered';
  return outcome === 'failed' ? 'failed' : 'pending';
};

interface Sighting {
  readonly event: EventFacts;
  /** The settings at the time of the event; undefined if retention removed them from the log. */
  readonly settings: LoggedSettings | undefined;
  readonly isCreatedLater: boolean;
  readonly fannedOut: number;
  readonly findSight: ReturnType<typeof createVisibilityCache>;
  readonly now: Date;
}

/** Why an integration has no delivery of an event. */
async function explainAbsence(
  integration: IntegrationFacts,
  { event, settings, isCreatedLater, fannedOut, findSight, now }: Sighting,
): Promise<Outcome> {
  const notSent = (reason: NonNullable<Outcome['reason']>, why: string): Outcome => ({
    outcome: 'notSent',
    reason,
    why,
  });
  if (isCreatedLater) {
    return notSent('createdLater', 'Integration was created after this event');
  }
  const hindrance = findHindrance(settings ?? integration, event, settings !== undefined);
  if (hindrance) return { outcome: 'notSent', ...hindrance };
  const { responsible } = settings ?? integration;
  if (!event.isOpen && !isVisibleTo(await findSight(responsible), event)) {
    return notSent(
      'notVisible',
      "The account that last saved the integration can't see this event",
    );
  }
  if (event.id > fannedOut) {
    return { outcome: 'pending', reason: 'queued', why: 'Queued' };
  }
  const { retentionDays } = integration;
  if (event.createdAt.getTime() < now.getTime() - retentionDays * dayMs) {
    return notSent(
      'recordRemoved',
      `Record expired (kept for ${retentionDays === 1 ? '1 day' : `${retentionDays} days`})`,
    );
  }
  return notSent('unknown', 'No delivery record, although the settings match');
}

async function explainDelivery(
  db: Db,
  integration: IntegrationFacts,
  stored: StoredDelivery,
  now: Date,
): Promise<Outcome> {
  const oldestPending = integration.inOrder ? await findOldestPending(db, integration.id) : null;
  const delivery: Delivery = deliveryOf(stored, { integration, oldestPending, now });
  return { outcome: outcomeOf(stored), why: delivery.why, delivery };
}

/** What became of an event in each integration that the reader may see. */
export async function listIntegrationsOfEvent(
  db: Db,
  actor: Actor,
  id: string,
  now: Date,
): Promise<{ eventId: number; integrations: IntegrationOfEvent[] }> {
  const event = /^\d{1,15}$/.test(id)
    ? await findEventFacts(db, Number(id), actor.sees)
    : undefined;
  if (!event) throw notFound('event', id);
  const deliveries = await listDeliveriesOfEvent(db, event.id, actor.sees);
  const settingsAt = await listSettingsAt(db, event.id);
  const createdLater = await listCreatedLater(db, event.id);
  const fannedOut = await findFannedOut(db);
  const findSight = createVisibilityCache(db, now);
  const integrations: IntegrationOfEvent[] = [];
  for (const integration of await listIntegrationFacts(db)) {
    if (isHidden(actor, integration)) continue;
    const stored = deliveries.find(({ integrationId }) => integrationId === integration.id);
    const settings = settingsAt.get(integration.id);
    const isCreatedLater =
      createdLater.has(integration.id) || integration.createdAt > event.createdAt;
    const outcome = stored
      ? await explainDelivery(db, integration, stored, now)
      : await explainAbsence(integration, {
          ...{ event, settings, isCreatedLater, fannedOut, findSight, now },
        });
    integrations.push({
      integrationId: integration.id,
      provider: integration.provider,
      description: integration.description,
      ...outcome,
    });
  }
  return { eventId: event.id, integrations };
}
