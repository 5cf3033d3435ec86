import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../../platform/db/database.ts';
import type { Message } from '../../providers/provider.ts';
import { isCurrentInSql, isOpenInSql, type Visibility } from '../visibility.ts';
import { recentAttempts } from './finish.ts';

/** A delivery that this instance sends. An outcome is stored only while `fence` is unchanged. */
export interface ClaimedDelivery extends Visibility {
  readonly id: string;
  readonly integrationId: number;
  readonly message: Message;
  readonly tries: number;
  readonly fence: number;
  /** Whether an earlier attempt failed. The integration may show it as its trouble. */
  readonly failedBefore: boolean;
  /** The current version of the integrations. */
  readonly version: number;
}

export interface Claim {
  readonly owner: number;
  readonly now: Date;
  readonly leasedUntil: Date;
}

/** How many more requests may be sent to an integration. */
export interface FreeSlots {
  readonly integrationId: number;
  readonly free: number;
}

const claimedColumns = [
  'deliveries.id',
  'deliveries.integration_id as integrationId',
  'deliveries.message',
  'deliveries.tries',
  'deliveries.fence',
  'deliveries.project',
  isOpenInSql(sql`deliveries.project`, sql`deliveries.event_id`).as('isOpen'),
  isCurrentInSql(sql`deliveries.project`, sql`deliveries.event_id`).as('isCurrent'),
] as const;

/**
 * Retries are at most a day ahead (`schedule.ts`), and leases minutes. A time two days ahead was written by a clock
 * that has been set back since. Such a delivery would wait for as long as the clock was ahead.
 */
const implausiblyFar = (now: Date): Date => new Date(now.getTime() + 48 * 3_600_000);

/** Integrations that are enabled and not paused, and whose receiver has not asked for a pause. */
const isSending = (now: Date) => sql`
  i.enabled and i.paused_at is null and i.deleted_at is null
  and (i.held_until is null or i.held_until <= ${now} or i.held_until > ${implausiblyFar(now)})`;

const freeSlotRows = (freeSlots: readonly FreeSlots[]) => sql`
  unnest(${freeSlots.map(({ integrationId }) => integrationId)}::int[],
    ${freeSlots.map(({ free }) => free)}::int[]) as f(integration_id, free)`;

const failedBefore = sql<boolean>`outcome is not distinct from 'failed'`.as('failedBefore');

const version = sql<number>`(select version from delivery_progress)`.as('version');

const claimDeliveries = (db: Kysely<Database>, { owner, leasedUntil }: Claim) =>
  db
    .updateTable('deliveries')
    .set({ owner, leased_until: leasedUntil })
    .set('fence', ({ eb }) => eb('fence', '+', 1));

/**
 * Claims due deliveries, as many as there are free slots, while other instances do the same. The ids are passed as an
 * array, so that PostgreSQL finds the rows by primary key even when its statistics are of an empty table. With a join
 * each claim read the whole table.
 */
export const claimDue = (
  db: Kysely<Database>,
  claim: Claim,
  wanted: readonly FreeSlots[],
): Promise<ClaimedDelivery[]> =>
  claimDeliveries(db, claim)
    .where(
      sql<boolean>`id = any(array(
        select d.id from ${freeSlotRows(wanted)}
        join integrations i on i.id = f.integration_id and ${isSending(claim.now)}
        cross join lateral (
          select id from deliveries
          where integration_id = f.integration_id and next_at <= ${claim.now} and owner is null
          order by next_at, event_id limit f.free
          for update skip locked
        ) d))`,
    )
    .returning([...claimedColumns, failedBefore, version])
    .execute();

/**
 * The same for ordered integrations: finds the oldest unfinished delivery first, then locks it. If another instance
 * has locked it, the whole integration is skipped, not only this delivery.
 */
export const claimHeads = (
  db: Kysely<Database>,
  claim: Claim,
  integrationIds: readonly number[],
): Promise<ClaimedDelivery[]> =>
  claimDeliveries(db, claim)
    .where(
      sql<boolean>`id = any(array(
        select d.id from unnest(${integrationIds}::int[]) as f(integration_id)
        join integrations i on i.id = f.integration_id and ${isSending(claim.now)}
        cross join lateral (
          select id from deliveries
          where id = (
              select head.id from deliveries head
              where head.integration_id = f.integration_id and head.next_at is not null
              order by head.event_id limit 1)
            and next_at <= ${claim.now} and owner is null
          for update skip locked
        ) d))`,
    )
    .returning([...claimedColumns, failedBefore, version])
    .execute();

/** The class of the advisory locks that instances hold while they live. */
export const ownersClass = 4_242_005;

const interruptedAttempt = (now: Date) => ({
  at: now.toISOString(),
  state: 'interrupted',
  stateDetails:
    'Result unknown: the server stopped or lost its database connection during this attempt.',
  nextAttemptAt: now.toISOString(),
  exchanges: [],
});

/** Owners without their advisory lock. An instance holds it in its session while it lives. */
export async function listDeadOwners(db: Kysely<Database>, self: number): Promise<number[]> {
  const rows = await db
    .selectFrom('deliveries')
    .where('owner', 'is not', null)
    .where('owner', '<>', self)
    .where(
      sql<boolean>`owner not in (
        select objid::bigint::int from pg_locks
        where locktype = 'advisory' and classid = ${ownersClass} and objsubid = 2 and granted
          and database = (select oid from pg_database where datname = current_database()))`,
    )
    .select('owner')
    .distinct()
    .execute();
  return rows.map(({ owner }) => owner as number);
}

/** A delivery that was interrupted three times in a row may be the cause of the crashes, so it waits. */
const delayAfterInterruptions = sql`
  case when attempts->-1->>'state' = 'interrupted' and attempts->-2->>'state' = 'interrupted'
    and attempts->-3->>'state' = 'interrupted' then interval '5 minutes' else interval '0' end`;

/**
 * Frees the deliveries of dead instances. They may have arrived or not, so they are sent again at once. An instance
 * that is stuck loses its deliveries by the lease.
 */
export async function releaseOrphans(
  db: Kysely<Database>,
  deadOwners: readonly number[],
  now: Date,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ owner: null, leased_until: null })
    .set('next_at', sql<Date>`${now}::timestamptz + ${delayAfterInterruptions}`)
    .set(
      'attempts',
      sql<string>`${recentAttempts} || ${JSON.stringify(interruptedAttempt(now))}::jsonb`,
    )
    .where('owner', 'is not', null)
    .where(({ or, eb }) =>
      or([
        eb('leased_until', '<', now),
        eb('leased_until', '>', implausiblyFar(now)),
        sql<boolean>`owner = any(${deadOwners}::int[])`,
      ]),
    )
    .execute();
}

/** Frees deliveries that this instance claimed and lost by an error, so that they are sent. */
export async function releaseLost(
  db: Kysely<Database>,
  owner: number,
  unfinished: readonly string[],
  leasedBefore: Date,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ owner: null, leased_until: null })
    .where('owner', '=', owner)
    .where('leased_until', '<', leasedBefore)
    .where(sql<boolean>`id <> all(${unfinished}::uuid[])`)
    .execute();
}

/** Makes deliveries due that a clock put off while it was ahead: see `implausiblyFar`. */
export async function makeDue(
  db: Kysely<Database>,
  integrationIds: readonly number[],
  now: Date,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ next_at: now })
    .where(sql<boolean>`integration_id = any(${integrationIds}::int[])`)
    .where('next_at', '>', implausiblyFar(now))
    .where('owner', 'is', null)
    .execute();
}
