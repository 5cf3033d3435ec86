import type { ActingRequest, Actor } from '../actor.ts';
import type { Endpoint } from '../contract/endpoint.ts';

type Params = Readonly<Record<string, string>>;

/**
 * Returns the part of the path that names the resource which a change addresses: everything up to the first parameter
 * below the scope. Undefined if the path names none, such as a path for creating something.
 */
function resourcePath({ path, scope }: Endpoint): readonly string[] | undefined {
  const parts = path.split('/');
  const end = parts.findIndex((part) => part.startsWith(':') && part !== `:${scope}`);
  return end < 0 ? undefined : parts.slice(0, end + 1);
}

/** Returns a function that adds the request, and the resource that it addresses, to the actor of a change. */
export function createAddressing(
  endpoint: Endpoint,
): (actor: Actor, request: Omit<ActingRequest, 'id'>) => Actor {
  const { id, method, permission } = endpoint;
  if (method === 'GET' || permission === 'public') return (actor) => actor;
  const parts = resourcePath(endpoint);
  return (actor, { params, query, body }) => {
    const acting = { ...actor, request: { id, params, query, body } };
    if (!parts) return acting;
    const values = params as Params;
    const named = parts.map((part) => (part.startsWith(':') ? values[part.slice(1)] : part));
    return { ...acting, resource: named.join('/') };
  };
}
