import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { authenticationRequired, unknownPath, type WaysIn } from '../errors.ts';
import { hasBody } from './arrival.ts';
import { createFairShare } from './fair-share.ts';
import { shownPath } from './shown-path.ts';
import { refuseUnstorable } from './storable.ts';

/** The cookie with the session secret of a signed-in user. */
export const sessionCookie = 'burgee-session';

/**
 * The token of an Authorization header, with or without `Bearer`. A header without one gives the empty string, which is
 * no token.
 */
export function tokenFromHeader(header: string): string {
  const credential = header
    .trim()
    .replace(/^bearer\s+/i, '')
    .trim();
  return /[\s,]/.test(credential) ? '' : credential;
}

/** Authentication and authorisation, implemented by the access module. */
export interface Gate {
  /**
   * Returns the caller, or undefined unless the request has exactly one valid credential. May set a new cookie on the
   * reply. If the credential is cached, returns synchronously and never throws.
   */
  readonly authenticate: (
    request: FastifyRequest,
    reply?: FastifyReply,
  ) => Actor | undefined | Promise<Actor | undefined>;
  /** Sign-in methods, for the 401 of /api/admin and for the sign-in page. */
  readonly waysIn?: () => WaysIn | Promise<WaysIn>;
  /**
   * Throws the 403 or 404 if the actor may not call the endpoint. Returns another actor if they may only propose the
   * change.
   */
  readonly permit: (
    actor: Actor,
    endpoint: Endpoint,
    params: Readonly<Record<string, string>>,
    query?: unknown,
  ) => Actor | undefined | Promise<Actor | undefined>;
  /** Throws the 503 for a change in maintenance mode. */
  readonly refuseChanges: (endpoint: Endpoint) => void | Promise<void>;
}

/** The paths of users and their scripts. SDKs have other paths and cannot sign in. */
const peoplesPath = '/api/admin';

/** Creates the 401 of a request. */
export async function unauthenticated(gate: Gate, { url }: Pick<FastifyRequest, 'url'>) {
  const waysIn = url.startsWith(peoplesPath) ? await gate.waysIn?.() : undefined;
  return authenticationRequired(waysIn);
}

/** Throws the error that refuses the actor's request. */
async function admit(
  gate: Gate,
  actor: Actor | undefined,
  request: FastifyRequest,
  endpoint: Endpoint | undefined,
): Promise<void> {
  if (!actor) throw await unauthenticated(gate, request);
  if (!endpoint) throw unknownPath(request.method, shownPath(request));
  request.actor = actor;
  const params = request.params as Record<string, string>;
  refuseUnstorable(params);
  const proposer = await gate.permit(actor, endpoint, params, request.query);
  if (proposer) request.actor = proposer;
  await gate.refuseChanges(endpoint);
}

async function enter(
  gate: Gate,
  awaitTurn: ReturnType<typeof createFairShare>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { config } = request.routeOptions;
  request.routeConfig = config;
  const { endpoint } = config;
  if (request.is404 && !request.url.startsWith('/api/')) {
    // Without a body to refuse, the handler of unknown paths throws it, unless a module has a page for browsers.
    if (request.method === 'GET') return;
    throw unknownPath(request.method, shownPath(request));
  }
  if (!request.is404 && !endpoint) return;
  if (endpoint?.permission === 'public') await gate.refuseChanges(endpoint);
  else await admit(gate, await gate.authenticate(request, reply), request, endpoint);
  if (!endpoint) return;
  const turn = () => awaitTurn(request, reply, endpoint);
  // A body that arrives slowly would hold a share of everyone whose requests come from this address.
  if (endpoint.permission === 'public' && hasBody(request)) request.awaitTurn = turn;
  else await turn();
}

/**
 * Authenticates and authorises before the body is read: 401, then 404 for an unknown path, then the gate's answer for
 * the addressed resource. An unknown path outside the API is 404 without credentials.
 */
export function registerGate(app: FastifyInstance, gate: Gate): void {
  app.decorateRequest('actor', null);
  app.decorateRequest('routeConfig', null);
  app.decorateRequest('awaitTurn', null);
  app.decorateRequest('endTurn', null);
  const awaitTurn = createFairShare();
  app.addHook('onRequest', (request, reply) => enter(gate, awaitTurn, request, reply));
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.endTurn?.();
    done();
  });
}
