import type { Kysely } from 'kysely';
import { dayMs } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';

/** Work that no caller started writes outside transactions of requests. */
type WriteDb = Kysely<Database>;

/** An email about one event for one account. */
export interface DirectEmail {
  readonly userId: number;
  readonly eventId: number;
  readonly failures: number;
}

/** Later than this, an email is of no use: the server was down, or had no mail server. */
const uselessAfterMs = dayMs;

/** Emails that are due and that no other instance is sending. They belong to the caller until the given time. */
export async function claimDirectEmails(
  db: WriteDb,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<DirectEmail[]> {
  await db
    .updateTable('event_recipients')
    .set({ email_due_at: null })
    .where('email_due_at', '<', new Date(now.getTime() - uselessAfterMs))
    .execute();
  const rows = await db
    .updateTable('event_recipients as recipient')
    .from(({ selectFrom }) =>
      selectFrom('event_recipients')
        .where('email_due_at', '<=', now)
        .where(({ eb, or }) =>
          or([eb('email_claimed_until', 'is', null), eb('email_claimed_until', '<', now)]),
        )
        .orderBy('email_due_at')
        .limit(limit)
        .select(['user_id', 'event_id'])
        .forUpdate()
        .skipLocked()
        .as('due'),
    )
    .set({ email_claimed_until: until })
    .whereRef('recipient.user_id', '=', 'due.user_id')
    .whereRef('recipient.event_id', '=', 'due.event_id')
    .returning([
      'recipient.user_id as userId',
      'recipient.event_id as eventId',
      'recipient.email_failures as failures',
    ])
    .execute();
  return rows.sort((a, b) => a.eventId - b.eventId || a.userId - b.userId);
}

interface Outcome extends Pick<DirectEmail, 'userId' | 'eventId'> {
  /** The claim of the caller. If it is over, another instance may be sending. */
  readonly claimedUntil: Date;
  /** When to try again; null if it was sent or is needless. */
  readonly dueAt: Date | null;
  readonly failures: number;
}

export const updateDirectEmail = (
  db: WriteDb,
  { userId, eventId, claimedUntil, dueAt, failures }: Outcome,
) =>
  db
    .updateTable('event_recipients')
    .set({ email_due_at: dueAt, email_failures: failures, email_claimed_until: null })
    .where('user_id', '=', userId)
    .where('event_id', '=', eventId)
    .where('email_claimed_until', '=', claimedUntil)
    .execute();

/** Gives back emails that were not tried. */
export const releaseDirectEmails = (db: WriteDb, claimedUntil: Date) =>
  db
    .updateTable('event_recipients')
    .set({ email_claimed_until: null })
    .where('email_claimed_until', '=', claimedUntil)
    .execute();

export async function deleteRecipient(tx: Tx, userId: number): Promise<void> {
  await tx.db.deleteFrom('event_recipients').where('user_id', '=', userId).execute();
}
