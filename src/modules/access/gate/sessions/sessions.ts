import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database, Db, Tx } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { sessionCookie } from '../../../../platform/http/authenticate.ts';
import { clearCookie, cookieOf, isSecure, setCookie } from '../../../../platform/http/cookies.ts';
import { hashSecret, newSecret } from '../../../../platform/secret.ts';
import { markAccessChanged } from '../announce.ts';
import {
  deleteOldSessions,
  deleteSessions,
  deleteSurplusSessions,
  insertSession,
  listSessions,
  type StoredSession,
  updateLostSecret,
  updateSessionSecret,
} from './queries.ts';

export interface SessionLimits {
  /** The maximum lifetime of a session after the log-in. */
  readonly sessionTtlHours: number;
  /** The maximum time after the last request. */
  readonly sessionIdleHours: number;
}

const hourMs = 3_600_000;
/** A stolen secret is valid for this long. Using it later ends the session. */
const rotateAfterMs = hourMs;
/** For concurrent requests that still use the former secret. */
const formerSecretValidMs = 120_000;
/** The precision of `seen_at`. */
const seenEveryMs = 60_000;

/** HttpOnly keeps scripts from reading it. Lax keeps people signed in who follow a link from another site. */
const cookieOptions = (request: FastifyRequest, baseUrl: string) => ({
  httpOnly: true,
  sameSite: 'lax' as const,
  path: '/',
  secure: isSecure(request, baseUrl),
});

/** Over https the `__Host-` prefix keeps other hosts of the domain from setting the cookie. */
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

/** How many sessions a person may have. A script that signs in for each request would create any number. */
const maxSessions = 50;

/**
 * Always creates a new secret, whatever cookie the request has. The person must be locked, so that concurrent sign-ins
 * see each other's sessions. Ends the oldest session if there are too many.
 */
export async function createSession(
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
  if ((await deleteSurplusSessions(tx, { id, userId }, maxSessions - 1)) > 0) markAccessChanged(tx);
  return { id, secret, expiresAt };
}

export async function endSession(tx: Tx, userId: number, id: string): Promise<void> {
  const ended = await deleteSessions(tx, userId, { only: id });
  if (ended === 0) throw notFound('session', id);
  markAccessChanged(tx);
}

/** Ends all sessions of a person, except one if given. */
export async function endSessions(tx: Tx, userId: number, except?: string): Promise<number> {
  const ended = await deleteSessions(tx, userId, { except });
  if (ended > 0) markAccessChanged(tx);
  return ended;
}

type Seen = Pick<StoredSession, 'seenAt'>;

/** How far the clocks of two instances may differ. */
const maxClockDifferenceMs = hourMs;

/**
 * The session has more time left than a new one, so that its start was written by a clock that was set back since. It
 * is over, because otherwise it would live as long as the clock was ahead.
 */
const isFromFutureClock = (
  { expiresAt }: Pick<StoredSession, 'expiresAt'>,
  now: Date,
  { sessionTtlHours }: SessionLimits,
) => expiresAt.getTime() > now.getTime() + sessionTtlHours * hourMs + maxClockDifferenceMs;

const isIdle = ({ seenAt }: Seen, now: Date, { sessionIdleHours }: SessionLimits) =>
  seenAt.getTime() + sessionIdleHours * hourMs <= now.getTime();

const isOver = (
  session: Seen & Pick<StoredSession, 'expiresAt'>,
  now: Date,
  limits: SessionLimits,
) =>
  session.expiresAt <= now ||
  isIdle(session, now, limits) ||
  isFromFutureClock(session, now, limits);

/** The most recently used one first. */
export async function listActiveSessions(db: Db, userId: number, now: Date, limits: SessionLimits) {
  const sessions = await listSessions(db, userId);
  return sessions.filter((session) => !isOver(session, now, limits));
}

export type SessionState =
  | 'good'
  | 'arrived'
  | 'due for a new secret'
  | 'never arrived'
  | 'over'
  | 'stolen';

/**
 * A former secret is valid for a short time, and until the new one is used for the first time, because the response
 * with it may have been lost. After that only a thief uses it.
 */
export function checkSession(
  session: StoredSession,
  hash: Buffer,
  now: Date,
  limits: SessionLimits,
): SessionState {
  if (isOver(session, now, limits)) return 'over';
  // The absolute difference, so that a clock that was set back does not make a former secret valid.
  const sinceRotation = Math.abs(now.getTime() - session.rotatedAt.getTime());
  if (!session.secretHash.equals(hash)) {
    if (sinceRotation <= formerSecretValidMs) return 'good';
    return session.arrived ? 'stolen' : 'never arrived';
  }
  if (sinceRotation >= rotateAfterMs) return 'due for a new secret';
  return session.arrived ? 'good' : 'arrived';
}

/** Replaces the secret of the session. Undefined if another request was faster. */
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

export const isRecentlySeen = ({ seenAt }: Seen, now: Date): boolean =>
  Math.abs(now.getTime() - seenAt.getTime()) < seenEveryMs;

export const deleteExpiredSessions = (
  db: Kysely<Database>,
  now: Date,
  { sessionIdleHours }: SessionLimits,
) =>
  deleteOldSessions(db, {
    now,
    seenBefore: new Date(now.getTime() - sessionIdleHours * hourMs),
  });
