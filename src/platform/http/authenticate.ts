import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../db/database.ts';
import { authenticationRequired, unknownPath } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import { shownPath } from './shown-path.ts';
import { refuseUnstorable } from './validate.ts';

/** Holds the secret of the session of a person who signed in. */
export const sessionCookie = 'burgee-session';

/** What the access module fills in: who is this, and may they? */
export interface Gate {
  /**
   * The caller of a request, or undefined for anything but one valid credential. Where a reply is
   * given, it may bring a new cookie.
   */
  readonly authenticate: (
    request: FastifyRequest,
    reply?: FastifyReply,
  ) => Promise<Actor | undefined>;
  /** Throws the 403 or 404 that keeps this actor from this endpoint. */
  readonly permit: (
    actor: Actor,
    endpoint: Endpoint,
    params: Readonly<Record<string, string>>,
  ) => Promise<void>;
  /** Throws the 503 of a change while the installation is closed for changes. */
  readonly refuseChanges: (endpoint: Endpoint) => Promise<void>;
}

/**
 * Before the body is read: 401, then 404 for a path that does not exist, then what the gate says of
 * the addressed thing. An unknown path outside the API needs no credentials to be unknown.
 */
export function registerGate(app: FastifyInstance, gate: Gate): void {
  app.decorateRequest('actor', null);
  app.addHook('onRequest', async (request, reply) => {
    const { endpoint } = request.routeOptions.config;
    const path = shownPath(request);
    if (request.is404 && !path.startsWith('/api/')) throw unknownPath(request.method, path);
    if (!request.is404 && !endpoint) return;
    if (endpoint?.permission === 'public') return gate.refuseChanges(endpoint);
    const actor = await gate.authenticate(request, reply);
    if (!actor) throw authenticationRequired();
    if (!endpoint) throw unknownPath(request.method, path);
    request.actor = actor;
    refuseUnstorable(request.params);
    await gate.permit(actor, endpoint, request.params as Record<string, string>);
    await gate.refuseChanges(endpoint);
  });
}
