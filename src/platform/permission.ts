import type { Actor } from './actor.ts';
import { noAccess } from './errors.ts';

/** Throws the 403 that names the missing permission. Any one of several is enough. */
export function demand(
  actor: Actor,
  permission: string | readonly string[],
  scope?: string,
  environment?: string,
): void {
  const names = typeof permission === 'string' ? [permission] : permission;
  if (!names.some((name) => actor.may(name, scope, environment))) {
    throw noAccess(names, environment);
  }
}

/** Returns whether the actor may know that a scope exists. */
export const sees = (actor: Actor, scope: string): boolean =>
  actor.sees === 'all' || actor.sees.has(scope);
