import type { Db, Tx } from '../../../../platform/db/database.ts';
import {
  endSession,
  endSessions,
  listActiveSessions,
  type SessionLimits,
} from '../../gate/index.ts';
import { getPerson, recordEndedSessions } from '../../users/index.ts';
import type { Session } from './contract.ts';

export async function listSessions(
  db: Db,
  userId: number,
  { now, limits, current }: { now: Date; limits: SessionLimits; current: string | undefined },
): Promise<Session[]> {
  const sessions = await listActiveSessions(db, userId, now, limits);
  return sessions.map(({ id, createdAt, seenAt, expiresAt, ip, userAgent }) => ({
    id,
    createdAt: createdAt.toISOString(),
    seenAt: seenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(ip !== null && { ip }),
    ...(userAgent !== null && { userAgent }),
    current: id === current,
  }));
}

/** Ends a session of a person, or all of them, for an administrator. */
export async function endSessionsOf(tx: Tx, userId: number, only?: string): Promise<void> {
  const person = await getPerson(tx.db, userId);
  if (only === undefined) {
    recordEndedSessions(tx, person, await endSessions(tx, userId));
  } else {
    await endSession(tx, userId, only);
    recordEndedSessions(tx, person, 1);
  }
}
