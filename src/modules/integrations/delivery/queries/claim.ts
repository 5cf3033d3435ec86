import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../../platform/db/database.ts';
import type { Message } from '../../providers/provider.ts';
import { isCurrentInSql, isOpenInSql, type Visibility } from '../visibility.ts';
import { keptAttempts } from './finish.ts';

/** A delivery that this instance sends; `fence` proves later that it still may say what became of it. */
export interface Claimed extends Visibility {
  readonly id: string;
  readonly integrationId: number;
  readonly message: Message;
  readonly tries: number;
  readonly fence: number;
  /** Whether an attempt before this one failed: it may be what the integration shows as its trouble. */
  readonly failedBefore: boolean;
  /** Of the integrations, as they are now. */
  readonly version: number;
}

export interface Claim {
  readonly owner: number;
  readonly now: Date;
  readonly leasedUntil: Date;
}

/** How many more may be sent to an integration at a time. */
export interface Room {
  readonly integrationId: number;
  readonly free: number;
}

const taken = [
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
 * Nothing is put off for longer than a day (`schedule.ts`), nor leased for more than minutes. What lies two days ahead
 * was written by a clock that has been set back since, and would otherwise wait for as long as it was ahead.
 */
const implausible = (now: Date): Date => new Date(now.getTime() + 48 * 3_600_000);

/** Whose turn it can be: those that are on, not paused, and whose receiver has not asked for patience. */
const sending = (now: Date) => sql`
  i.enabled and i.paused_at is null and i.deleted_at is null
  and (i.held_until is null or i.held_until <= ${now} or i.held_until > ${implausible(now)})`;

const rooms = (wanted: readonly Room[]) => sql`
  unnest(${wanted.map(({ integrationId }) => integrationId)}::int[],
    ${wanted.map(({ free }) => free)}::int[]) as f(integration_id, free)`;

const failedBefore = sql<boolean>`outcome is not distinct from 'failed'`.as('failedBefore');

const version = sql<number>`(select version from delivery_progress)`.as('version');

const claiming = (db: Kysely<Database>, { owner, leasedUntil }: Claim) =>
  db
    .updateTable('deliveries')
    .set({ owner, leased_until: leasedUntil })
    .set('fence', ({ eb }) => eb('fence', '+', 1));

/**
 * Takes what is due, as much as there is room for, whoever else is taking at the same time. The ids are an
 * array, so that the rows are found by their key whatever the planner believes of a table that was empty a
 * minute ago: joined, each claim read the whole table.
 */
export const claimDue = (
  db: Kysely<Database>,
  claim: Claim,
  wanted: readonly Room[],
): Promise<Claimed[]> =>
  claiming(db, claim)
    .where(
      sql<boolean>`id = any(array(
        select d.id from ${rooms(wanted)}
        join integrations i on i.id = f.integration_id and ${sending(claim.now)}
        cross join lateral (
          select id from deliveries
          where integration_id = f.integration_id and next_at <= ${claim.now} and owner is null
          order by next_at, event_id limit f.free
          for update skip locked
        ) d))`,
    )
    .returning([...taken, failedBefore, version])
    .execute();

/**
 * The same where order matters: the oldest that is neither delivered nor given up is found first, and locked
 * then. Where another instance has it, the integration is skipped, and not that delivery alone.
 */
export const claimHeads = (
  db: Kysely<Database>,
  claim: Claim,
  integrationIds: readonly number[],
): Promise<Claimed[]> =>
  claiming(db, claim)
    .where(
      sql<boolean>`id = any(array(
        select d.id from unnest(${integrationIds}::int[]) as f(integration_id)
        join integrations i on i.id = f.integration_id and ${sending(claim.now)}
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
    .returning([...taken, failedBefore, version])
    .execute();

/** The class of the advisory locks by which an instance shows that it lives. */
export const ownersClass = 4_242_005;

const interrupted = (now: Date) => ({
  at: now.toISOString(),
  state: 'interrupted',
  stateDetails:
    'It is not known what became of this attempt: the server ended, or lost its database.',
  nextAttemptAt: now.toISOString(),
  exchanges: [],
});

/** Owners that show no sign of life: an instance holds a lock of its session for as long as it lives. */
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

/** What was interrupted three times in a row may be what interrupts us: it waits a while. */
const patienceAfterInterruptions = sql`
  case when attempts->-1->>'state' = 'interrupted' and attempts->-2->>'state' = 'interrupted'
    and attempts->-3->>'state' = 'interrupted' then interval '5 minutes' else interval '0' end`;

/**
 * Frees what an instance that died was sending: it may have arrived or not, so it is sent again, at once. One
 * that lives but is stuck loses it by the lease.
 */
export async function releaseOrphans(
  db: Kysely<Database>,
  deadOwners: readonly number[],
  now: Date,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ owner: null, leased_until: null })
    .set('next_at', sql<Date>`${now}::timestamptz + ${patienceAfterInterruptions}`)
    .set('attempts', sql<string>`${keptAttempts} || ${JSON.stringify(interrupted(now))}::jsonb`)
    .where('owner', 'is not', null)
    .where(({ or, eb }) =>
      or([
        eb('leased_until', '<', now),
        eb('leased_until', '>', implausible(now)),
        sql<boolean>`owner = any(${deadOwners}::int[])`,
      ]),
    )
    .execute();
}

/** Frees what this instance claimed and lost sight of, by an error in between, so that it is sent after all. */
export async function releaseForgotten(
  db: Kysely<Database>,
  owner: number,
  underWay: readonly string[],
  leasedBefore: Date,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ owner: null, leased_until: null })
    .where('owner', '=', owner)
    .where('leased_until', '<', leasedBefore)
    .where(sql<boolean>`id <> all(${underWay}::uuid[])`)
    .execute();
}

/** Makes due what a clock that was ahead put off: see `implausible`. */
export async function makeDue(
  db: Kysely<Database>,
  integrationIds: readonly number[],
  now: Date,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ next_at: now })
    .where(sql<boolean>`integration_id = any(${integrationIds}::int[])`)
    .where('next_at', '>', implausible(now))
    .where('owner', 'is', null)
    .execute();
}
