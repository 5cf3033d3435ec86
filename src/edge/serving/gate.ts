import type { Endpoint } from '../../platform/contract/endpoint.ts';
import { noAccess, unavailable } from '../../platform/errors.ts';
import { type Gate, tokenFromHeader } from '../../platform/http/authenticate.ts';
import { longestToken } from '../hub/tokens.ts';
import { actorOf, type ServedTokens } from './served-tokens.ts';

const isUsage = ({ path }: Endpoint): boolean => /\/client\/(?:metrics|register)\b/.test(path);

/** Admits SDKs by their tokens. */
export function createEdgeGate(tokens: Pick<ServedTokens, 'find' | 'byId'>): Gate {
  return {
    authenticate(request) {
      const secret = tokenFromHeader(request.headers.authorization ?? '');
      if (secret === '' || secret.length > longestToken) return undefined;
      const found = tokens.find(secret, request.ip);
      const answer = (identity: Awaited<typeof found>) => {
        if (identity === 'unsuitable') throw noAccess(['CLIENT', 'FRONTEND']);
        return identity && actorOf(identity, { ip: request.ip, requestId: request.id });
      };
      return found instanceof Promise ? found.then(answer) : answer(found);
    },

    permit(actor, endpoint) {
      const { tokenScope } = actor;
      const { audience = [] } = endpoint;
      const kind = tokenScope?.audience;
      if (kind !== 'admin' && !(kind && audience.includes(kind))) {
        throw noAccess(audience.map((each) => each.toUpperCase()));
      }
      // An empty list would turn everything off. Usage is taken: it needs no features.
      if (!isUsage(endpoint) && !tokens.byId(actor.id)?.isReady) {
        throw unavailable('The edge has no features for this token yet', 1);
      }
      return undefined;
    },

    refuseChanges: () => undefined,
  };
}
