import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../../../platform/actor.ts';
import { callerOf } from '../../../../platform/caller-address.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { hashSecret } from '../../../../platform/secret.ts';
import {
  type Account,
  accountIdentity,
  createSession,
  endSession,
  endSessions,
  type SessionLimits,
  sessionSecretOf,
} from '../../gate/index.ts';
import { deviceOf } from '../attempts/device.ts';
import { markFamiliar } from '../attempts/service.ts';
import { addLogin, type LoginAttempt } from '../logins/service.ts';
import { lockPasswordHash } from '../people-queries.ts';
import { lockSession } from './queries.ts';

/** The actor for requests without a session: the system, with the address of the caller. */
export const visitorOf = (system: Actor, { ip, id }: FastifyRequest): Actor => ({
  ...system,
  ip,
  requestId: id,
});

/** The actor for a person who has proved their identity by a link. */
export const actorOf = (account: Account, { ip, id: requestId }: FastifyRequest): Actor => ({
  ...accountIdentity(account),
  ip,
  requestId,
});

const lockSessionOf = async (tx: Tx, request: FastifyRequest, baseUrl: string) => {
  const secret = sessionSecretOf(request, baseUrl);
  return secret ? lockSession(tx, hashSecret(secret)) : undefined;
};

/** Ends the session of the request's cookie, or all sessions of that person. */
export async function endSessionOf(
  tx: Tx,
  request: FastifyRequest,
  { baseUrl, all = false }: { readonly baseUrl: string; readonly all?: boolean },
): Promise<void> {
  const session = await lockSessionOf(tx, request, baseUrl);
  if (!session) return;
  if (all) await endSessions(tx, session.userId);
  else await endSession(tx, session.userId, session.id);
}

/**
 * Starts a session for a person who has just proved their identity, and ends the session of the request, so that no one
 * can make another person use a session that they know. Pass the result to `sendSessionCookie` after the transaction.
 * The actor of the transaction is a visitor. The device is that of the browser, unless it gets a new one.
 */
export async function signInPerson(
  tx: Tx,
  { userId, method }: { readonly userId: number; readonly method: LoginAttempt['method'] },
  request: FastifyRequest,
  settings: SessionLimits & { readonly baseUrl: string },
  device = deviceOf(request),
): Promise<{ secret: string; expiresAt: Date; baseUrl: string }> {
  await endSessionOf(tx, request, settings);
  const userAgent = request.headers['user-agent'];
  await addLogin(tx, { userId, method, ip: request.ip, userAgent }, 'signed-in');
  await lockPasswordHash(tx, userId);
  await markFamiliar(tx, userId, { caller: callerOf(request.ip), device });
  const { secret, expiresAt } = await createSession(tx, {
    userId,
    userAgent,
    limits: settings,
  });
  return { secret, expiresAt, baseUrl: settings.baseUrl };
}
