import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import { dayMs } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { AccountVisibility } from '../configuration/responsible.ts';
import { isVisibleInSql } from '../delivery/visibility.ts';
import type { DeliveryState, RedeliveryTask } from './deliveries-contract.ts';
import type { RecordFilter } from './filter.ts';
import { isEventInLog, visibleTo } from './visible.ts';

/** False if the message could not be composed, or was erased with a person. */
const hasMessage = sql<boolean>`d.message::text <> '{}'`;

export interface LockedDelivery {
  readonly state: DeliveryState;
  readonly isBeingSent: boolean;
  readonly hasMessage: boolean;
  /** Whether the integration may report the event at this moment. */
  readonly isVisible: boolean;
}

export async function lockDelivery(
  tx: Tx,
  integrationId: number,
  id: string,
  sight: AccountVisibility,
): Promise<LockedDelivery | undefined> {
  return tx.db
    .selectFrom('deliveries as d')
    .where('d.id', '=', id)
    .where('d.integration_id', '=', integrationId)
    .where(visibleTo(tx.actor.sees))
    .select([
      'd.state',
      sql<boolean>`d.owner is not null`.as('isBeingSent'),
      hasMessage.as('hasMessage'),
      isVisibleInSql(sight).as('isVisible'),
    ])
    .forUpdate()
    .executeTakeFirst();
}

export interface RedeliveryFilter extends Omit<RecordFilter, 'states' | 'events'> {
  readonly states: readonly DeliveryState[];
  /** Whether those that wait for another attempt are included. */
  readonly retrying: boolean;
  readonly ids?: readonly string[];
  readonly afterEvent: number;
  readonly limit: number;
  readonly sight: AccountVisibility;
}

/** After a failed attempt, and not in the hands of an instance. */
const isRetrying = sql<boolean>`d.state = 'pending' and d.tries > 0 and d.owner is null`;

/** Deliveries to send again, oldest first. */
export async function lockDeliveries(
  tx: Tx,
  integrationId: number,
  { states, retrying, ids, types, since, until, afterEvent, limit, sight }: RedeliveryFilter,
): Promise<{ id: string; eventId: number; state: DeliveryState }[]> {
  return tx.db
    .selectFrom('deliveries as d')
    .where('d.integration_id', '=', integrationId)
    .where((where) => where.or([where('d.state', 'in', states), ...(retrying ? [isRetrying] : [])]))
    .where('d.event_id', '>', afterEvent)
    .where(hasMessage)
    .where(isVisibleInSql(sight))
    .where(isEventInLog)
    .where(visibleTo(tx.actor.sees))
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`d.id = any(${ids}::uuid[])`))
    .$if(types !== undefined, (query) =>
      query.where(sql<boolean>`d.event_type = any(${types}::text[])`),
    )
    .$if(since !== undefined, (query) => query.where('d.created_at', '>=', new Date(since ?? 0)))
    .$if(until !== undefined, (query) => query.where('d.created_at', '<', new Date(until ?? 0)))
    .select(['d.id', 'd.event_id as eventId', 'd.state'])
    .orderBy('d.event_id')
    .limit(limit)
    .forUpdate()
    .execute();
}

const redeliveredBy = ({ now, actor }: Tx) => ({
  redelivered_at: now,
  redelivered_by: actor.name,
  redelivered_by_id: actor.id,
});

/** The schedule starts again. Earlier attempts stay in the record. */
export async function updateToPending(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ state: 'pending', next_at: tx.now, tries: 0, ...redeliveredBy(tx) })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}

/** The attempts of the schedule so far count. */
export async function updateToRetryNow(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ next_at: sql<Date>`least(next_at, ${tx.now}::timestamptz)`, ...redeliveredBy(tx) })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}

export const updateForgottenRedelivery = (tx: Tx, userId: number) =>
  tx.db
    .updateTable('deliveries')
    .set({ redelivered_by: null })
    .where('redelivered_by_id', '=', userId)
    .execute();

const listedDays = 7;
const maxListed = 20;

type StoredTask = Omit<RedeliveryTask, 'startedAt' | 'startedBy'> & {
  readonly startedAt: Date;
  readonly startedBy: string | null;
};

/** What became of the deliveries that were sent again together, newest first. */
export async function listRedeliveries(
  db: Db,
  integrationId: number,
  { sees, now }: { readonly sees: Actor['sees']; readonly now: Date },
): Promise<RedeliveryTask[]> {
  const { rows } = await sql<StoredTask>`
    select d.redelivered_at as "startedAt", d.redelivered_by as "startedBy", count(*) as total,
      count(*) filter (where d.state = 'pending') as pending,
      count(*) filter (where d.state = 'delivered') as delivered,
      count(*) filter (where d.state = 'givenUp') as "givenUp"
    from deliveries d
    where d.integration_id = ${integrationId}
      and d.redelivered_at > ${new Date(now.getTime() - listedDays * dayMs)} and ${visibleTo(sees)}
    group by d.redelivered_at, d.redelivered_by order by d.redelivered_at desc limit ${sql.lit(maxListed)}`.execute(
    db,
  );
  return rows.map(({ startedAt, startedBy, ...counts }) => ({
    startedAt: startedAt.toISOString(),
    ...(startedBy !== null && { startedBy }),
    ...counts,
  }));
}
