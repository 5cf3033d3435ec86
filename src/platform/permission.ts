import type { Actor } from './actor.ts';
import { AppError, noAccess } from './errors.ts';

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

/** Everyone who sees a project may propose changes in it. None of them is committed. */
const proposer = (actor: Actor, refusal: Error): Actor => ({
  ...actor,
  may: (permission, scope, environment) =>
    (scope !== undefined && sees(actor, scope)) || actor.may(permission, scope, environment),
  onlyProposes: { refusal, as: actor },
});

/**
 * Makes a change whose service demands the permissions. Who lacks one and asks for `propose=true` proposes the change
 * instead, where it needs approval.
 */
export const orPropose = <Answer>(
  actor: Actor,
  query: unknown,
  change: (by: Actor) => Promise<Answer>,
): Promise<Answer> =>
  change(actor).catch((refusal: unknown) => {
    const asksToPropose = (query as { readonly propose?: string }).propose === 'true';
    const lacksPermission =
      refusal instanceof AppError && refusal.name === 'NoAccessError' && !refusal.more;
    if (!asksToPropose || !lacksPermission) throw refusal;
    return change(proposer(actor, refusal));
  });
