import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Attempt } from '../delivery/attempt-schema.ts';
import type { DeliveryState } from './deliveries-contract.ts';
import type { DeliveryFilter, Page } from './filter.ts';
import { visibleTo } from './visible.ts';

export interface StoredDelivery {
  readonly id: string;
  readonly eventId: number;
  readonly eventType: string;
  readonly featureName: string | null;
  readonly project: string | null;
  readonly environment: string | null;
  readonly createdAt: Date;
  readonly state: DeliveryState;
  readonly outcome: 'success' | 'successWithErrors' | 'failed' | null;
  readonly stateDetails: string;
  readonly tries: number;
  readonly last: Omit<Attempt, 'exchanges'> | null;
  readonly lastAttemptAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly isBeingSent: boolean;
}

/** Retention may have removed the event of a pending delivery. */
const columns = sql`
  d.id, d.event_id as "eventId", d.event_type as "eventType", e.feature_name as "featureName",
  d.project, e.environment, d.created_at as "createdAt", d.state, d.outcome,
  d.state_details as "stateDetails", d.tries,
  (d.attempts->-1) - 'exchanges' as last, d.attempted_at as "lastAttemptAt", d.next_at as "nextAttemptAt",
  d.owner is not null as "isBeingSent"`;

type Condition = RawBuilder<unknown>;

const byTime = sql`d.created_at desc, d.event_id desc`;

const all = (conditions: readonly Condition[]): Condition => sql.join([...conditions], sql` and `);

const conditions = (
  integrationId: number,
  { types, events, since, until }: DeliveryFilter,
  sees: Actor['sees'],
): Condition[] => [
  sql`d.integration_id = ${integrationId} and ${visibleTo(sees)}`,
  ...(types === undefined ? [] : [sql`d.event_type = any(${types}::text[])`]),
  ...(events === undefined ? [] : [sql`d.event_id = any(${events}::bigint[])`]),
  ...(since === undefined ? [] : [sql`d.created_at >= ${new Date(since)}`]),
  ...(until === undefined ? [] : [sql`d.created_at < ${new Date(until)}`]),
];

/**
 * The events of a page. Deliveries are inserted in the order of their events, so ordering by time and by id gives the
 * same result. Each state is read in the order that its index has.
 */
function selectPage(
  integrationId: number,
  { state, ...filter }: DeliveryFilter & { readonly state: DeliveryState | undefined },
  { limit, offset }: Page,
  sees: Actor['sees'],
): Condition {
  const seen = all(conditions(integrationId, filter, sees));
  const cut = sql`limit ${limit} offset ${offset}`;
  if (state === 'pending') {
    return sql`
      select d.event_id from deliveries d where ${seen} and d.next_at is not null
      order by d.event_id desc ${cut}`;
  }
  if (state !== undefined) {
    const outcomes = state === 'givenUp' ? ['failed'] : ['success', 'successWithErrors'];
    return sql`
      select d.event_id from unnest(${outcomes}::text[]) as wanted(outcome)
      cross join lateral (
        select d.created_at, d.event_id from deliveries d
        where ${seen} and d.outcome = wanted.outcome and d.state = ${state}
        order by ${byTime} limit ${limit + offset}
      ) d
      order by ${byTime} ${cut}`;
  }
  if (Object.keys(filter).length === 0) {
    return sql`select d.event_id from deliveries d where ${seen} order by d.event_id desc ${cut}`;
  }
  // The indexes by time and by type hold only attempted deliveries. The others are in the queue.
  const part = (attempted: Condition) => sql`(
    select d.created_at, d.event_id from deliveries d where ${seen} and ${attempted}
    order by ${byTime} limit ${limit + offset})`;
  return sql`
    select d.event_id from (
      ${part(sql`d.outcome is not null`)} union all
      ${part(sql`d.outcome is null and d.next_at is not null`)}
    ) d
    order by ${byTime} ${cut}`;
}

/** Newest first. */
export async function listDeliveries(
  db: Db,
  integrationId: number,
  filter: DeliveryFilter & { readonly state: DeliveryState | undefined },
  page: Page,
  sees: Actor['sees'],
): Promise<StoredDelivery[]> {
  const { rows } = await sql<StoredDelivery>`
    with page as materialized (${selectPage(integrationId, filter, page, sees)})
    select ${columns} from page
    join deliveries d on d.integration_id = ${integrationId} and d.event_id = page.event_id
    left join events e on e.id = d.event_id
    order by d.event_id desc`.execute(db);
  return rows;
}

/** At most one for each integration. */
export async function listDeliveriesOfEvent(
  db: Db,
  eventId: number,
  sees: Actor['sees'],
): Promise<(StoredDelivery & { readonly integrationId: number })[]> {
  // With the integrations, because the index begins with them.
  const { rows } = await sql<StoredDelivery & { readonly integrationId: number }>`
    select d.integration_id as "integrationId", ${columns}
    from integrations i
    join deliveries d on d.integration_id = i.id and d.event_id = ${eventId}
    left join events e on e.id = d.event_id
    where i.deleted_at is null and ${visibleTo(sees)}`.execute(db);
  return rows;
}

export async function findDelivery(
  db: Db,
  integrationId: number,
  id: string,
  sees: Actor['sees'],
): Promise<StoredDelivery | undefined> {
  const { rows } = await sql<StoredDelivery>`
    select ${columns} from deliveries d left join events e on e.id = d.event_id
    where d.id = ${id} and d.integration_id = ${integrationId} and ${visibleTo(sees)}`.execute(db);
  return rows[0];
}

export async function countPending(
  db: Db,
  integrationId: number,
  sees: Actor['sees'],
): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    select count(*) as pending from deliveries d
    where d.integration_id = ${integrationId} and d.next_at is not null and ${visibleTo(sees)}`.execute(
    db,
  );
  return rows[0]?.pending ?? 0;
}

export async function findOldestPending(db: Db, integrationId: number): Promise<number | null> {
  const oldest = await db
    .selectFrom('deliveries')
    .where('integration_id', '=', integrationId)
    .where('next_at', 'is not', null)
    .select(({ fn }) => fn.min<number | null>('event_id').as('eventId'))
    .executeTakeFirst();
  return oldest?.eventId ?? null;
}
