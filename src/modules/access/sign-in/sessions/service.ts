import type { Db } from '../../../../platform/db/database.ts';
import { listActiveSessions, type SessionLimits } from '../../gate/index.ts';
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
