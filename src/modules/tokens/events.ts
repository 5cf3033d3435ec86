import { defineEvent } from '../events/index.ts';

/** What the log tells of a token: never its secret. */
export interface TokenFacts {
  readonly tokenName: string;
  readonly type: string;
  readonly environment: string | null;
  readonly project: string;
  readonly projects: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

export const apiTokenCreated = defineEvent<TokenFacts>({
  type: 'api-token-created',
  label: 'API token created',
  summary: ({ user, data, bold }) =>
    `${user} created the ${bold(data.type)} API token ${bold(data.tokenName)}`,
});

export const apiTokenDeleted = defineEvent<TokenFacts>({
  type: 'api-token-deleted',
  label: 'API token deleted',
  summary: ({ user, preData, bold }) =>
    `${user} revoked the ${bold(preData.type)} API token ${bold(preData.tokenName)}`,
});
