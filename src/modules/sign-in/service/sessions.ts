import type { Db } from '../../../platform/db/database.ts';
import { pathId } from '../../../platform/http/path-id.ts';
import { listLivingSessions, type SessionLimits } from '../../access/index.ts';
import { getPerson } from '../../users/index.ts';
import type { Session } from '../contract/sessions.ts';

/** Whom an address names. */
export async function personIn(db: Db, text: string): Promise<number> {
  const { id } = await getPerson(db, pathId('user', text));
  return id;
}

export async function listSessions(
  db: Db,
  userId: number,
  { now, limits, current }: { now: Date; limits: SessionLimits; current: string | undefined },
): Promise<Session[]> {
  const sessions = await listLivingSessions(db, userId, now, limits);
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
