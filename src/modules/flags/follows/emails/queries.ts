import { type Kysely, sql } from 'kysely';
import type { Database, Db, Tx } from '../../../../platform/db/database.ts';
import { lastEventId, quietTypes } from '../changes/queries.ts';
import { dueAfterChange, type MailedFrequency } from './schedule.ts';

/** Work that no caller started writes outside transactions of requests. */
type WriteDb = Kysely<Database>;

export const findEmailChoice = (db: Db, userId: number) =>
  db
    .selectFrom('follow_letters')
    .where('user_id', '=', userId)
    .select('frequency')
    .executeTakeFirst();

export const findAddress = async (db: Db, userId: number): Promise<string | undefined> =>
  (
    await db
      .selectFrom('users')
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .select('email')
      .executeTakeFirst()
  )?.email ?? undefined;

export const hasDirectEmails = async (db: Db, userId: number): Promise<boolean> =>
  (await db
    .selectFrom('direct_emails_off')
    .where('user_id', '=', userId)
    .select('user_id')
    .executeTakeFirst()) === undefined;

export const insertDirectEmailsOff = (tx: Tx, userId: number) =>
  tx.db
    .insertInto('direct_emails_off')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deleteDirectEmailsOff = (tx: Tx, userId: number) =>
  tx.db.deleteFrom('direct_emails_off').where('user_id', '=', userId).execute();

export const deleteEmailChoice = (db: WriteDb, userId: number) =>
  db.deleteFrom('follow_letters').where('user_id', '=', userId).execute();

/** Of a person who had no emails, only changes from now on are mailed. */
export const upsertEmailChoice = (tx: Tx, userId: number, frequency: MailedFrequency) => {
  const dueAt = frequency === 'immediate' ? tx.now : dueAfterChange(frequency, tx.now);
  return tx.db
    .insertInto('follow_letters')
    .values({
      user_id: userId,
      frequency,
      mailed_id: lastEventId,
      pending_id: lastEventId,
      due_at: dueAt,
      failures: 0,
      claimed_until: null,
    })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ frequency, due_at: dueAt }))
    .execute();
};

/** How many events one transaction compares with the follows. */
const batchSize = 10_000;

/** Locks the progress, so that one instance at a time compares. */
export const lockProgress = async (tx: Tx): Promise<{ eventId: number; head: number }> =>
  tx.db
    .selectFrom('follow_progress')
    .select(['event_id as eventId', lastEventId.as('head')])
    .forUpdate()
    .executeTakeFirstOrThrow();

/**
 * Notes for each person who wants emails the newest event about something that they follow. Events are grouped before
 * they are joined: a bulk change of 500 features in a project with 1,000 followers is 1,000 rows, not 500,000. Returns
 * the event up to which it compared.
 */
export async function updatePending(
  tx: Tx,
  { after, upTo: last }: { readonly after: number; readonly upTo: number },
): Promise<number> {
  const upTo = Math.min(last, after + batchSize);
  const newestBy = (column: 'feature_name' | 'project') => sql`
    select ${sql.ref(`e.${column}`)} as followed, max(e.id) as newest
    from events e
    where e.id > ${after}::bigint and e.id <= ${upTo}::bigint and e.type <> all(${quietTypes}::text[])
    group by ${sql.ref(`e.${column}`)}`;
  const noticed = sql<{ user_id: number; newest: number }>`(
    select found.user_id, max(found.newest) as newest
    from (
      select follow.user_id, change.newest
      from (${newestBy('feature_name')}) change
      join feature_follows follow on follow.feature_name = change.followed
      union all
      select follow.user_id, change.newest
      from (${newestBy('project')}) change
      join project_follows follow on follow.project = change.followed
    ) found
    group by found.user_id)`;
  const dueFor = (frequency: MailedFrequency) =>
    sql<Date>`${dueAfterChange(frequency, tx.now)}::timestamptz`;
  await tx.db
    .updateTable('follow_letters as emails')
    .from(noticed.as('noticed'))
    .whereRef('emails.user_id', '=', 'noticed.user_id')
    .whereRef('emails.pending_id', '<', 'noticed.newest')
    .set({
      pending_id: sql<number>`noticed.newest`,
      due_at: sql<Date>`case
        when emails.pending_id > emails.mailed_id then emails.due_at
        when emails.frequency = 'weekly' then ${dueFor('weekly')}
        when emails.frequency = 'daily' then ${dueFor('daily')}
        else greatest(emails.due_at, ${dueFor('immediate')}) end`,
    })
    .execute();
  await tx.db.updateTable('follow_progress').set({ event_id: upTo }).execute();
  return upTo;
}

export interface DueEmail {
  readonly userId: number;
  readonly frequency: MailedFrequency;
  readonly mailedId: number;
  readonly pendingId: number;
  readonly failures: number;
}

/** Emails that are due and that no other instance is sending. They belong to the caller until the given time. */
export const claimDueEmails = (
  db: WriteDb,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<DueEmail[]> =>
  db
    .updateTable('follow_letters')
    .set({ claimed_until: until })
    .where('user_id', 'in', ({ selectFrom }) =>
      selectFrom('follow_letters as due')
        .innerJoin('users as u', 'u.id', 'due.user_id')
        .where('u.email', 'is not', null)
        .where('u.deleted_at', 'is', null)
        .whereRef('due.pending_id', '>', 'due.mailed_id')
        .where('due.due_at', '<=', now)
        .where(({ eb, or }) =>
          or([eb('due.claimed_until', 'is', null), eb('due.claimed_until', '<', now)]),
        )
        .orderBy('due.due_at')
        .limit(limit)
        .select('due.user_id')
        .forUpdate('due')
        .skipLocked(),
    )
    .returning([
      'user_id as userId',
      'frequency',
      'mailed_id as mailedId',
      'pending_id as pendingId',
      'failures',
    ])
    .execute();

interface Outcome {
  readonly userId: number;
  /** Changes up to this event are done; undefined if the email failed. */
  readonly mailedId?: number;
  readonly failures: number;
  readonly dueAt: Date;
  /** The claim of the caller. If it is over, another instance may be sending. */
  readonly claimedUntil: Date;
}

export const updateOutcome = (
  db: WriteDb,
  { userId, mailedId, failures, dueAt, claimedUntil }: Outcome,
) =>
  db
    .updateTable('follow_letters')
    .set({
      ...(mailedId !== undefined && { mailed_id: mailedId }),
      failures,
      due_at: dueAt,
      claimed_until: null,
    })
    .where('user_id', '=', userId)
    .where('claimed_until', '=', claimedUntil)
    .execute();

/** Gives back emails that were not tried. */
export const releaseEmails = (db: WriteDb, userIds: readonly number[], claimedUntil: Date) =>
  db
    .updateTable('follow_letters')
    .set({ claimed_until: null })
    .where('user_id', 'in', [...userIds])
    .where('claimed_until', '=', claimedUntil)
    .execute();
