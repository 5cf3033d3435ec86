import type { Actor } from '../../../platform/db/database.ts';
import type { ApiToken } from './contract.ts';
import type { TokenData } from './events.ts';
import type { ListedToken, Token } from './queries.ts';
import { everywhere, maskedSecret } from './scope.ts';

/** What is told of a token, in answers and in the log. */
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
 * A token as it is listed, naming those of its projects whose existence the reader may know; with its secret
 * only for somebody who may have it.
 */
export function toListedToken(
  token: ListedToken,
  sees: Actor['sees'],
  secret: string | undefined,
): ApiToken {
  const shown = token.projects.filter((id) => sees === 'all' || sees.has(id));
  return {
    ...tokenDataOf(token, shown),
    secret: secret ?? maskedSecret(token.projects, token.environment ?? everywhere),
    seenAt: token.seenAt?.toISOString() ?? null,
  };
}

/** With the secret, for whoever made it. */
export const toCreatedToken = (token: Token, secret: string): ApiToken => ({
  ...tokenDataOf(token),
  secret,
  seenAt: null,
});
