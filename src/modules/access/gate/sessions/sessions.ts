import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database, Db, Tx } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { sessionCookie } from '../../../../platform/http/authenticate.ts';
import { clearCookie, cookieOf, isSecure, setCookie } from '../../../../platform/http/cookies.ts';
import { hashSecret, newSecret } from '../../../../platform/secret.ts';
import { announceAccess } from '../announce.ts';
import {
  deleteOldSessions,
  deleteSessions,
  insertSession,
  listSessions,
  type StoredSession,
  updateLostSecret,
  updateSessionSecret,
} from './queries.ts';

export interface SessionLimits {
  /** A session ends so long after the log-in, whatever happens in it. */
  readonly sessionTtlHours: number;
  /** And so long after the last request in it. */
  readonly sessionIdleHours: number;
}

const hourMs = 3_600_000;
/** A secret that was overheard is good for so long, and then gives itself away. */
const rotateAfterMs = hourMs;
/** Requests that were under way with the former secret are still answered. */
const formerGoodForMs = 120_000;
/** How exactly it is known when a session was last used. */
const seenEveryMs = 60_000;

/** HttpOnly, so that no script reads it; Lax, so that a link from elsewhere still finds you signed in. */
const cookieOptions = (request: FastifyRequest, baseUrl: string) => ({
  httpOnly: true,
  sameSite: 'lax' as const,
  path: '/',
  secure: isSecure(request, baseUrl),
});

/** Over https the name has a prefix that keeps neighbours under the same domain from setting the cookie. */
const cookieName = (request: FastifyRequest, baseUrl: string) =>
  isSecure(request, baseUrl) ? `__Host-${sessionCookie}` : sessionCookie;

export const sessionSecretOf = (request: FastifyRequest, baseUrl: string): string | undefined =>
  cookieOf(request, cookieName(request, baseUrl));

export const sendSessionCookie = (
  reply: FastifyReply,
  { secret, expiresAt, baseUrl }: { secret: string; expiresAt: Date; baseUrl: string },
) =>
  setCookie(reply, cookieName(reply.request, baseUrl), secret, {
    ...cookieOptions(reply.request, baseUrl),
    expires: expiresAt,
  });

export const clearSessionCookie = (reply: FastifyReply, baseUrl: string) =>
  clearCookie(reply, cookieName(reply.request, baseUrl), cookieOptions(reply.request, baseUrl));

/** Signs a person in: always under a new secret, whatever cookie came with the request. */
export async function beginSession(
  tx: Tx,
  {
    userId,
    userAgent,
    limits,
  }: { userId: number; userAgent: string | undefined; limits: SessionLimits },
): Promise<{ id: string; secret: string; expiresAt: Date }> {
  const id = randomUUID();
  const secret = newSecret();
  const expiresAt = new Date(tx.now.getTime() + limits.sessionTtlHours * hourMs);
  await insertSession(tx, {
    id,
    userId,
    secretHash: hashSecret(secret),
    expiresAt,
    userAgent: userAgent?.slice(0, 300) ?? null,
  });
  return { id, secret, expiresAt };
}

/** Ends one session of a person. */
export async function endSession(tx: Tx, userId: number, id: string): Promise<void> {
  const ended = await deleteSessions(tx, userId, { only: id });
  if (ended === 0) throw notFound('session', id);
  announceAccess(tx);
}

/** Ends all sessions of a person, but for the one in which the wish was made, if it is to stay. */
export async function endSessions(tx: Tx, userId: number, except?: string): Promise<number> {
  const ended = await deleteSessions(tx, userId, { except });
  if (ended > 0) announceAccess(tx);
  return ended;
}

type Seen = Pick<StoredSession, 'seenAt'>;

/** How far the clocks of two instances may differ. */
const slackMs = hourMs;

/**
 * A session that has longer to live than any has at its beginning was begun by a clock that has been set back since.
 * It is over: otherwise it would live for as long as the clock was ahead.
 */
const isBegunAhead = (
  { expiresAt }: Pick<StoredSession, 'expiresAt'>,
  now: Date,
  { sessionTtlHours }: SessionLimits,
) => expiresAt.getTime() > now.getTime() + sessionTtlHours * hourMs + slackMs;

const isIdle = ({ seenAt }: Seen, now: Date, { sessionIdleHours }: SessionLimits) =>
  seenAt.getTime() + sessionIdleHours * hourMs <= now.getTime();

const isOver = (
  session: Seen & Pick<StoredSession, 'expiresAt'>,
  now: Date,
  limits: SessionLimits,
) => session.expiresAt <= now || isIdle(session, now, limits) || isBegunAhead(session, now, limits);

/** Those that are still good, the one used last first. */
export async function listLivingSessions(db: Db, userId: number, now: Date, limits: SessionLimits) {
  const sessions = await listSessions(db, userId);
  return sessions.filter((session) => !isOver(session, now, limits));
}

/** What is to be done about a session that somebody came with. */
export type Verdict =
  | 'good'
  | 'arrived'
  | 'due for a new secret'
  | 'never arrived'
  | 'over'
  | 'stolen';

/**
 * A former secret is good while requests with it may be under way, and for as long as nobody has come
 * with the present one: then the answer that brought it got lost. Later only a thief has it.
 */
export function judgeSession(
  session: StoredSession,
  hash: Buffer,
  now: Date,
  limits: SessionLimits,
): Verdict {
  if (isOver(session, now, limits)) return 'over';
  // Also where the clock was set back: a former secret is not good until the clock is there again.
  const sinceRotation = Math.abs(now.getTime() - session.rotatedAt.getTime());
  if (!session.secretHash.equals(hash)) {
    if (sinceRotation <= formerGoodForMs) return 'good';
    return session.arrived ? 'stolen' : 'never arrived';
  }
  if (sinceRotation >= rotateAfterMs) return 'due for a new secret';
  return session.arrived ? 'good' : 'arrived';
}

/** The session under a new secret; undefined when another request was faster. */
export async function rotateSession(
  tx: Tx,
  former: Buffer,
  verdict: 'due for a new secret' | 'never arrived',
): Promise<string | undefined> {
  const secret = newSecret();
  const exchange = verdict === 'never arrived' ? updateLostSecret : updateSessionSecret;
  const rotated = await exchange(tx, { former, fresh: hashSecret(secret) });
  return rotated ? secret : undefined;
}

export const isSeenLately = ({ seenAt }: Seen, now: Date): boolean =>
  Math.abs(now.getTime() - seenAt.getTime()) < seenEveryMs;

export const forgetOldSessions = (
  db: Kysely<Database>,
  now: Date,
  { sessionIdleHours }: SessionLimits,
) =>
  deleteOldSessions(db, {
    now,
    seenBefore: new Date(now.getTime() - sessionIdleHours * hourMs),
  });
