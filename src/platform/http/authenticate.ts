import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Actor } from '../db/database.ts';
import { authenticationRequired, unknownPath, type WaysIn } from '../errors.ts';
import { shownPath } from './shown-path.ts';
import { refuseUnstorable } from './storable.ts';

/** Holds the secret of the session of a person who signed in. */
export const sessionCookie = 'burgee-session';

/** What the access module fills in: who is this, and may they? */
export interface Gate {
  /**
   * The caller of a request, or undefined for anything but one valid credential. A reply may
   * get a new cookie. Returns synchronously, and never throws, if the credential is cached.
   */
  readonly authenticate: (
    request: FastifyRequest,
    reply?: FastifyReply,
  ) => Actor | undefined | Promise<Actor | undefined>;
  /** Sign-in methods, for the 401 of /api/admin and for the sign-in page. */
  readonly waysIn?: () => WaysIn | Promise<WaysIn>;
  /** Throws the 403 or 404 that keeps this actor from this endpoint. */
  readonly permit: (
    actor: Actor,
    endpoint: Endpoint,
    params: Readonly<Record<string, string>>,
  ) => void | Promise<void>;
  /** Throws the 503 of a change while the installation is closed for changes. */
  readonly refuseChanges: (endpoint: Endpoint) => void | Promise<void>;
}

/** Where people and their scripts ask; programs have paths of their own, and cannot sign in. */
const peoplesPath = '/api/admin';

/** The 401 that a request is refused with. */
export async function unauthenticated(gate: Gate, { url }: Pick<FastifyRequest, 'url'>) {
  const waysIn = url.startsWith(peoplesPath) ? await gate.waysIn?.() : undefined;
  return authenticationRequired(waysIn);
}

/** Throws what keeps an actor from what it asks for. */
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
  await gate.permit(actor, endpoint, params);
  await gate.refuseChanges(endpoint);
}

async function enter(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { config } = request.routeOptions;
  request.routeConfig = config;
  const { endpoint } = config;
  if (request.is404 && !request.url.startsWith('/api/')) {
    throw unknownPath(request.method, shownPath(request));
  }
  if (!request.is404 && !endpoint) return;
  if (endpoint?.permission === 'public') return gate.refuseChanges(endpoint);
  await admit(gate, await gate.authenticate(request, reply), request, endpoint);
}

/**
 * Before the body is read: 401, then 404 for a path that does not exist, then what the gate says of
 * the addressed thing. An unknown path outside the API needs no credentials to be unknown.
 */
export function registerGate(app: FastifyInstance, gate: Gate): void {
  app.decorateRequest('actor', null);
  app.decorateRequest('routeConfig', null);
  app.addHook('onRequest', (request, reply) => enter(gate, request, reply));
}
