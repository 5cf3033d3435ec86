import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError, unknownPath } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/module.ts';
import { createOutgoing } from '../../../platform/outgoing/send.ts';
import { sendSessionCookie } from '../gate/index.ts';
import { basePathOf, countSignIn, keepRefusal, signInPerson, visitorOf } from '../sign-in/index.ts';
import { admit } from './admission.ts';
import { clearHandshake, findHandshake, sendHandshake } from './handshake.ts';
import type { Identity } from './identity.ts';
import { createProvider } from './provider.ts';
import type { Refusal } from './refusal.ts';
import { returnPath } from './return-to.ts';
import { findConnection, type OidcConnection } from './service.ts';

const loginPage = '/auth/oidc/login';
const callbackPage = '/auth/oidc/callback';

/** Pages, no part of the API. A second request for the same page would use up what the first one came with. */
const page = { exposeHeadRoute: false };

const queryOf = ({ url }: FastifyRequest) => url.split('?').slice(1).join('?');

/** The two pages by which people go to the provider and come back. */
export function oidcPages(app: FastifyInstance, services: Services): void {
  const { db, transact, clock, log, settings, system } = services;
  const { baseUrl } = settings;
  const place = { keys: settings.encryptionKeys, baseUrl };
  const redirectUri = `${baseUrl}${callbackPage}`;
  // Only administrators change these settings, and many providers live in a private network.
  const outgoing = createOutgoing({ privateTargets: true, loopback: true });
  app.addHook('onClose', async () => outgoing.close());
  const provider = createProvider({ clock, log, outgoing });

  const go = (reply: FastifyReply, path: string) =>
    reply.header('cache-control', 'no-store').redirect(path, 302);
  const refuse = (reply: FastifyReply, refusal: Refusal) =>
    go(reply, `${basePathOf(baseUrl)}/login?error=${refusal}`);

  /** The way in, where there is one; a secret that no key reads is for the operator to see. */
  async function openConnection(
    request: FastifyRequest,
  ): Promise<OidcConnection | { readonly refusal: Refusal }> {
    try {
      const connection = await findConnection(db, place.keys);
      if (connection) return connection;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.error({ reason: error.message }, 'people cannot sign in through the provider');
      return { refusal: 'sign-in-not-set-up' };
    }
    throw unknownPath(request.method, request.url.split('?', 1)[0] ?? '');
  }

  async function enter(tx: Tx, identity: Identity, rules: OidcConnection, request: FastifyRequest) {
    const admission = await admit(tx, identity, rules);
    if ('refusal' in admission) return admission;
    const session = await signInPerson(
      tx,
      { userId: admission.userId, method: 'oidc' },
      request,
      settings,
    );
    return { ...admission, session };
  }

  /** Of two first log-ins at once, one creates the person and the other finds them. */
  async function enterEventually(
    identity: Identity,
    rules: OidcConnection,
    request: FastifyRequest,
    attemptsLeft = 1,
  ): Promise<Awaited<ReturnType<typeof enter>>> {
    try {
      return await transact(visitorOf(system, request), (tx) =>
        enter(tx, identity, rules, request),
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const isTaken = error.name === 'NameExistsError';
      if (isTaken && attemptsLeft > 0) {
        return enterEventually(identity, rules, request, attemptsLeft - 1);
      }
      return { refusal: isTaken ? 'account-taken' : 'account-incomplete' };
    }
  }

  app.get(loginPage, page, async (request, reply) => {
    const connection = await openConnection(request);
    if ('refusal' in connection) return refuse(reply, connection.refusal);
    const begun = await provider.begin(connection, redirectUri);
    if ('refusal' in begun) return refuse(reply, begun.refusal);
    const { url, ...handshake } = begun;
    const { returnTo: wish } = request.query as { returnTo?: unknown };
    const returnTo = returnPath(wish, `${basePathOf(baseUrl)}/account`);
    sendHandshake(reply, place, { ...handshake, returnTo }, clock());
    return go(reply, url.href);
  });

  app.get(callbackPage, page, async (request, reply) => {
    const connection = await openConnection(request);
    clearHandshake(reply, place);
    if ('refusal' in connection) return refuse(reply, connection.refusal);
    const handshake = findHandshake(request, place, clock());
    const { state } = request.query as { state?: unknown };
    if (!handshake || state !== handshake.state) return refuse(reply, 'log-in-expired');
    const callback = new URL(redirectUri);
    callback.search = queryOf(request);
    const identity = await provider.finish(connection, callback, handshake);
    if ('refusal' in identity) return refuse(reply, identity.refusal);
    const entered = await enterEventually(identity, connection, request);
    if ('refusal' in entered) {
      const userAgent = request.headers['user-agent'];
      const attempt = { userId: undefined, method: 'oidc', ip: request.ip, userAgent } as const;
      await keepRefusal(services, visitorOf(system, request), attempt, 'refused');
      log.info({ refusal: entered.refusal }, 'somebody whom the provider knows was not let in');
      return refuse(reply, entered.refusal);
    }
    if (entered.keptIn.length > 0) {
      log.warn(
        { userId: entered.userId, groups: entered.keptIn },
        'the provider no longer names groups in which nobody could replace this person: they stay',
      );
    }
    countSignIn(services, 'oidc', 'signed-in');
    log.info({ userId: entered.userId, method: 'oidc', ip: request.ip }, 'signed in');
    sendSessionCookie(reply, entered.session);
    return go(reply, handshake.returnTo);
  });
}
