import type { FastifyRequest } from 'fastify';
import type { Actor, Tx } from '../../../../platform/db/database.ts';
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
import { callerOf } from '../attempts/address.ts';
import { deviceOf } from '../attempts/device.ts';
import { markFamiliar } from '../attempts/service.ts';
import { addLogin, type LoginAttempt } from '../logins/service.ts';
import { lockSession } from './queries.ts';

/** Whoever is not signed in: what they cause is done by the system, from where they are. */
export const visitorOf = (system: Actor, { ip, id }: FastifyRequest): Actor => ({
  ...system,
  ip,
  requestId: id,
});

/** Somebody who has proved by a link who they are: what follows is done by them. */
export const actorOf = (account: Account, { ip, id: requestId }: FastifyRequest): Actor => ({
  ...accountIdentity(account),
  ip,
  requestId,
});

const lockSessionOf = async (tx: Tx, request: FastifyRequest, baseUrl: string) => {
  const secret = sessionSecretOf(request, baseUrl);
  return secret ? lockSession(tx, hashSecret(secret)) : undefined;
};

/** Ends the session whose cookie came with a request, if it is one; or all of that person. */
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
 * Begins a session for somebody who has just proved who they are, and ends the one that the request
 * came in: nobody can make another person use a session that they know. What it returns is for
 * `sendSessionCookie`, after the transaction. The transaction is that of a visitor. The device is the
 * one that the browser has, unless it is about to be given one.
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
  await markFamiliar(tx, userId, { caller: callerOf(request.ip), device });
  const { secret, expiresAt } = await createSession(tx, {
    userId,
    userAgent,
    limits: settings,
  });
  return { secret, expiresAt, baseUrl: settings.baseUrl };
}
