import { type Kysely, sql } from 'kysely';
import type { Database, Db, Tx } from '../../../../platform/db/database.ts';
import { deleteInBatches } from '../../../../platform/db/in-batches.ts';

const columns = [
  'id',
  'user_id as userId',
  'rotated_at as rotatedAt',
  'created_at as createdAt',
  'seen_at as seenAt',
  'expires_at as expiresAt',
  'ip',
  'user_agent as userAgent',
] as const;

export const findSessionByHash = (db: Db, hash: Buffer) =>
  db
    .selectFrom('sessions')
    .where(({ eb, or }) => or([eb('secret_hash', '=', hash), eb('former_hash', '=', hash)]))
    .select([...columns, 'secret_hash as secretHash', 'arrived'])
    .executeTakeFirst();

export const listSessions = (db: Db, userId: number) =>
  db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .select(columns)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .execute();

export type StoredSession = NonNullable<Awaited<ReturnType<typeof findSessionByHash>>>;

interface NewSession {
  readonly id: string;
  readonly userId: number;
  readonly secretHash: Buffer;
  readonly expiresAt: Date;
  readonly userAgent: string | null;
}

export const insertSession = (tx: Tx, session: NewSession) =>
  tx.db
    .insertInto('sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      secret_hash: session.secretHash,
      former_hash: null,
      arrived: true,
      rotated_at: tx.now,
      created_at: tx.now,
      seen_at: tx.now,
      expires_at: session.expiresAt,
      ip: tx.actor.ip,
      user_agent: session.userAgent,
    })
    .execute();

interface Exchange {
  readonly former: Buffer;
  readonly fresh: Buffer;
}

/** Of several concurrent requests with one secret only one replaces it. Returns whether it did. */
export async function updateSessionSecret(tx: Tx, { former, fresh }: Exchange): Promise<boolean> {
  const updated = await tx.db
    .updateTable('sessions')
    .set({
      secret_hash: fresh,
      former_hash: former,
      arrived: false,
      rotated_at: tx.now,
      seen_at: tx.now,
    })
    .where('secret_hash', '=', former)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** Replaces the new secret that never arrived. The former secret stays valid until the new one is used. */
export async function updateLostSecret(tx: Tx, { former, fresh }: Exchange): Promise<boolean> {
  const updated = await tx.db
    .updateTable('sessions')
    .set({ secret_hash: fresh, rotated_at: tx.now, seen_at: tx.now })
    .where('former_hash', '=', former)
    .where('arrived', '=', false)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

export const updateSessionArrived = (tx: Tx, id: string) =>
  tx.db
    .updateTable('sessions')
    .set({ arrived: true, seen_at: tx.now })
    .where('id', '=', id)
    .execute();

export const updateSessionSeen = (tx: Tx, id: string) =>
  tx.db.updateTable('sessions').set({ seen_at: tx.now }).where('id', '=', id).execute();

/** Deletes one session of a person, all but one, or all. Returns their number. */
export async function deleteSessions(
  tx: Tx,
  userId: number,
  { only, except }: { only?: string | undefined; except?: string | undefined } = {},
): Promise<number> {
  const deleted = await tx.db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(only !== undefined, (query) => query.where('id', '=', only as string))
    .$if(except !== undefined, (query) => query.where('id', '<>', except as string))
    .returning('id')
    .execute();
  return deleted.length;
}

/** Deletes the oldest other sessions of a person, so that `others` are left. Returns how many were deleted. */
export async function deleteSurplusSessions(
  tx: Tx,
  { id, userId }: { readonly id: string; readonly userId: number },
  others: number,
): Promise<number> {
  const deleted = await tx.db
    .deleteFrom('sessions')
    .where('id', 'in', (own) =>
      own
        .selectFrom('sessions')
        .where('user_id', '=', userId)
        .where('id', '<>', id)
        .select('id')
        .orderBy('created_at', 'desc')
        .orderBy('seen_at', 'desc')
        .orderBy('id')
        .offset(others),
    )
    .returning('id')
    .execute();
  return deleted.length;
}

export const deleteOldSessions = (
  db: Kysely<Database>,
  { now, seenBefore }: { readonly now: Date; readonly seenBefore: Date },
) => deleteInBatches(db, 'sessions', sql`expires_at <= ${now} or seen_at <= ${seenBefore}`);
