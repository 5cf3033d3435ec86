import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../../platform/db/database.ts';
import type { Message } from '../../providers/provider.ts';

/** A delivery that this instance sends; `fence` proves later that it still may say what became of it. */
export interface Claimed {
  readonly id: string;
  readonly integrationId: number;
  readonly message: Message;
  readonly tries: number;
  readonly fence: number;
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
] as const;

/** Whose turn it can be: those that are on, not paused, and whose receiver has not asked for patience. */
const sending = (now: Date) => sql`
  i.enabled and i.paused_at is null and i.deleted_at is null
  and (i.held_until is null or i.held_until <= ${now})`;

const rooms = (wanted: readonly Room[]) => sql`
  unnest(${wanted.map(({ integrationId }) => integrationId)}::int[],
    ${wanted.map(({ free }) => free)}::int[]) as f(integration_id, free)`;

const version = sql<number>`(select version from delivery_progress)`.as('version');

const claiming = (db: Kysely<Database>, { owner, leasedUntil }: Claim) =>
  db
    .updateTable('deliveries')
    .set({ owner, leased_until: leasedUntil })
    .set('fence', ({ eb }) => eb('fence', '+', 1));

/** Takes what is due, as much as there is room for, whoever else is taking at the same time. */
export const claimDue = (
  db: Kysely<Database>,
  claim: Claim,
  wanted: readonly Room[],
): Promise<Claimed[]> =>
  claiming(db, claim)
    .from(
      sql<{ id: string }>`(
        select d.id from ${rooms(wanted)}
        join integrations i on i.id = f.integration_id and ${sending(claim.now)}
        cross join lateral (
          select id from deliveries
          where integration_id = f.integration_id and next_at <= ${claim.now} and owner is null
          order by next_at, event_id limit f.free
          for update skip locked
        ) d)`.as('due'),
    )
    .whereRef('deliveries.id', '=', 'due.id')
    .returning([...taken, version])
    .execute();

/**
 * The same where order matters: only the oldest that is neither delivered nor given up, and only when it is
 * due. It may not be skipped because another instance has it locked.
 */
export const claimHeads = (
  db: Kysely<Database>,
  claim: Claim,
  integrationIds: readonly number[],
): Promise<Claimed[]> =>
  claiming(db, claim)
    .from(
      sql<{ id: string }>`(
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
        ) d)`.as('due'),
    )
    .whereRef('deliveries.id', '=', 'due.id')
    .returning([...taken, version])
    .execute();

/** The class of the advisory locks by which an instance shows that it lives. */
export const ownersClass = 4_242_005;

const interrupted = (now: Date) => ({
  at: now.toISOString(),
  state: 'interrupted',
  stateDetails: 'The server ended before it was known what became of this attempt.',
  nextAttemptAt: now.toISOString(),
  exchanges: [],
});

/**
 * Frees what an instance that died was sending: it may have arrived or not, so it is sent again, at once. An
 * instance shows that it lives by a lock of its session; one that lives but is stuck loses it by the lease.
 */
export async function releaseOrphans(db: Kysely<Database>, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ owner: null, leased_until: null, next_at: now })
    .set('attempts', sql<string>`attempts || ${JSON.stringify(interrupted(now))}::jsonb`)
    .where('owner', 'is not', null)
    .where(({ or, eb }) =>
      or([
        eb('leased_until', '<', now),
        sql<boolean>`owner not in (
          select objid::bigint::int from pg_locks
          where locktype = 'advisory' and classid = ${ownersClass} and objsubid = 2 and granted
            and database = (select oid from pg_database where datname = current_database()))`,
      ]),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
