import type { Actor } from '../actor.ts';
import type { Endpoint } from '../contract/endpoint.ts';

type Params = Readonly<Record<string, string>>;

/**
 * Returns the part of the path that names the resource which a change addresses: everything up to the first parameter
 * below the scope. Undefined if the path names none, such as a path for creating something.
 */
function resourcePath({
  method,
  path,
  scope,
  permission,
}: Endpoint): readonly string[] | undefined {
  if (method === 'GET' || permission === 'public') return undefined;
  const parts = path.split('/');
  const end = parts.findIndex((part) => part.startsWith(':') && part !== `:${scope}`);
  return end < 0 ? undefined : parts.slice(0, end + 1);
}

/** Returns a function that adds the addressed resource to the actor of a request. */
export function createAddressing(endpoint: Endpoint): (actor: Actor, params: Params) => Actor {
  const parts = resourcePath(endpoint);
  if (!parts) return (actor) => actor;
  return (actor, params) => {
    const named = parts.map((part) => (part.startsWith(':') ? params[part.slice(1)] : part));
    return { ...actor, resource: named.join('/') };
  };
}
