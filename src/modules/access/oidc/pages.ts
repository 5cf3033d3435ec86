import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError, unknownPath } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/module.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts';
import { createSingleFlight } from '../../../platform/single-flight.ts';
import { sendSessionCookie } from '../gate/index.ts';
import {
  basePathOf,
  countSignIn,
  signInPerson,
  storeRefusal,
  visitorOf,
} from '../sign-in/index.ts';
import { admit } from './admission.ts';
import { clearHandshake, findHandshake, sendHandshake } from './handshake.ts';
import type { Identity } from './identity.ts';
import { createProvider } from './provider.ts';
import type { Refusal } from './refusal.ts';
import { returnPath } from './return-to.ts';
import { findConnection, type OidcConnection } from './service.ts';

const loginPage = '/auth/oidc/login';
export const callbackPage = '/auth/oidc/callback';

/** Pages are not part of the API. No HEAD route, because a second request would use up the handshake. */
const page = { exposeHeadRoute: false };

const queryOf = ({ url }: FastifyRequest) => url.split('?').slice(1).join('?');

/** The pages that redirect to the provider and back. */
export function oidcPages(app: FastifyInstance, services: Services, outgoing: Outgoing): void {
  const { db, transact, clock, log, settings, system } = services;
  const { baseUrl } = settings;
  const cookieScope = { keys: settings.encryptionKeys, baseUrl };
  const redirectUri = `${baseUrl}${callbackPage}`;
  const provider = createProvider({ clock, log, outgoing });
  // Anyone may open these pages. A hundred at once would take all connections for reads.
  const lookUps = createSingleFlight<'connection', OidcConnection | undefined>();

  const redirect = (reply: FastifyReply, path: string) =>
    reply.header('cache-control', 'no-store').redirect(path, 302);
  const home = () => `${basePathOf(baseUrl)}/`;
  /** The user may try again there, and then returns to the requested page, or to the window of another page. */
  const refuse = (reply: FastifyReply, refusal: Refusal, returnTo = home()) => {
    const address = `${home()}login?error=${refusal}`;
    const isElsewhere = returnTo !== home();
    return redirect(
      reply,
      isElsewhere ? `${address}&redirect=${encodeURIComponent(returnTo)}` : address,
    );
  };

  /** Throws 404 if OpenID Connect is off. Logs a secret that no key opens, for the operator. */
  async function openConnection(
    request: FastifyRequest,
  ): Promise<OidcConnection | { readonly refusal: Refusal }> {
    try {
      const connection = await lookUps.joinNext('connection', () =>
        findConnection(db, cookieScope.keys),
      );
      if (connection) return connection;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.error({ reason: error.message }, 'sign-in through the OpenID Connect provider failed');
      return { refusal: 'sign-in-not-set-up' };
    }
    throw unknownPath(request.method, request.url.split('?', 1)[0] ?? '');
  }

  async function signIn(
    tx: Tx,
    identity: Identity,
    rules: OidcConnection,
    request: FastifyRequest,
  ) {
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

  /** Of two concurrent first log-ins one creates the person, and the other finds them in the retry. */
  async function signInWithRetry(
    identity: Identity,
    rules: OidcConnection,
    request: FastifyRequest,
    attemptsLeft = 1,
  ): Promise<Awaited<ReturnType<typeof signIn>>> {
    try {
      return await transact(visitorOf(system, request), (tx) =>
        signIn(tx, identity, rules, request),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      const isTaken = error.name === 'NameExistsError';
      if (isTaken && attemptsLeft > 0) {
        return signInWithRetry(identity, rules, request, attemptsLeft - 1);
      }
      return { refusal: isTaken ? 'account-taken' : 'account-incomplete' };
    }
  }

  app.get(loginPage, page, async (request, reply) => {
    const { returnTo: input } = request.query as { returnTo?: unknown };
    const returnTo = returnPath(input, home());
    const connection = await openConnection(request);
    if ('refusal' in connection) return refuse(reply, connection.refusal, returnTo);
    const login = await provider.begin(connection, redirectUri);
    if ('refusal' in login) return refuse(reply, login.refusal, returnTo);
    const { url, ...handshake } = login;
    sendHandshake(reply, cookieScope, { ...handshake, returnTo }, clock());
    return redirect(reply, url.href);
  });

  app.get(callbackPage, page, async (request, reply) => {
    const connection = await openConnection(request);
    clearHandshake(reply, cookieScope);
    if ('refusal' in connection) return refuse(reply, connection.refusal);
    const handshake = findHandshake(request, cookieScope, clock());
    const { state } = request.query as { state?: unknown };
    if (!handshake || state !== handshake.state) return refuse(reply, 'log-in-expired');
    const callback = new URL(redirectUri);
    callback.search = queryOf(request);
    const identity = await provider.finish(connection, callback, handshake);
    if ('refusal' in identity) return refuse(reply, identity.refusal, handshake.returnTo);
    const result = await signInWithRetry(identity, connection, request);
    if ('refusal' in result) {
      const userAgent = request.headers['user-agent'];
      const attempt = { userId: undefined, method: 'oidc', ip: request.ip, userAgent } as const;
      await storeRefusal(services, visitorOf(system, request), attempt, 'refused');
      log.info(
        { refusal: result.refusal },
        'the provider authenticated a user who may not sign in',
      );
      return refuse(reply, result.refusal, handshake.returnTo);
    }
    if (result.stillIn.length > 0) {
      log.warn(
        { userId: result.userId, groups: result.stillIn },
        'the provider no longer lists groups that need this user as their last member; the user stays in them',
      );
    }
    countSignIn(services, 'oidc', 'signed-in');
    log.info({ userId: result.userId, method: 'oidc', ip: request.ip }, 'signed in');
    sendSessionCookie(reply, result.session);
    return redirect(reply, handshake.returnTo);
  });
}
