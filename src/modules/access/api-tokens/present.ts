import type { Actor } from '../../../platform/actor.ts';
import type { ApiToken } from './contract.ts';
import type { TokenData } from './events.ts';
import type { ListedToken, Token } from './queries.ts';
import { everywhere, maskedSecret } from './scope.ts';

/** The fields of a token in responses and in events. */
export const tokenDataOf = (
  token: Token,
  projects: readonly string[] = token.projects,
): TokenData => ({
  id: token.id,
  tokenName: token.name,
  username: token.name,
  type: token.type,
  environment: token.environment ?? everywhere,
  project: projects.join(','),
  projects: [...projects],
  alias: token.alias,
  expiresAt: token.expiresAt?.toISOString() ?? null,
  createdAt: token.createdAt.toISOString(),
});

/**
 * A token in a list. It names only the projects that the reader may know, and has its secret only for readers who may
 * see it.
 */
export function toListedToken(
  token: ListedToken,
  sees: Actor['sees'],
  secret: string | undefined,
): ApiToken {
  const visible = token.projects.filter((id) => sees === 'all' || sees.has(id));
  return {
    ...tokenDataOf(token, visible),
    secret: secret ?? maskedSecret(token.projects, token.environment ?? everywhere),
    seenAt: token.seenAt?.toISOString() ?? null,
  };
}

/** Includes the secret, for the creator. */
export const toCreatedToken = (token: Token, secret: string): ApiToken => ({
  ...tokenDataOf(token),
  secret,
  seenAt: null,
});
