import { defineEvent } from '../../events/index.ts';
import type { ApiToken } from './contract.ts';

/** Never contains the secret. */
export type TokenData = Omit<ApiToken, 'secret' | 'seenAt'>;

export const apiTokenCreated = defineEvent<TokenData>({
  type: 'api-token-created',
  summary: ({ user, data, bold }) =>
    `${user} created the ${bold(data.type)} API token ${bold(data.tokenName)}`,
});

export const apiTokenUpdated = defineEvent<TokenData>({
  type: 'api-token-updated',
  summary: ({ user, data, bold }) =>
    `${user} changed the ${bold(data.type)} API token ${bold(data.tokenName)}`,
});

export const apiTokenDeleted = defineEvent<TokenData>({
  type: 'api-token-deleted',
  summary: ({ user, preData, bold }) =>
    `${user} revoked the ${bold(preData.type)} API token ${bold(preData.tokenName)}`,
});
