import type { Actor } from '../../src/platform/actor.ts';
import type { Gate } from '../../src/platform/http/authenticate.ts';

/** Says which of the actors sends a request. */
const actorHeader = 'x-test-actor';

const actors: Actor[] = [];

/** Returns the headers with which a request comes from this actor. */
export const headersOf = (actor: Actor): Record<string, string> => ({
  [actorHeader]: String(actors.push(actor) - 1),
});

/** A gate that also knows these actors. A server of their own would take longer than most tests. */
export const withLimitedActors = <G extends Gate>(gate: G): Gate => ({
  ...gate,
  async authenticate(request, reply) {
    const actor = actors[Number(request.headers[actorHeader])];
    return actor ? { ...actor, requestId: request.id } : gate.authenticate(request, reply);
  },
});
