import { defineEvent, type Json } from '../../events/index.ts';
import type { ApiToken } from './contract.ts';

/** Never contains the secret. */
export type TokenData = Omit<ApiToken, 'secret' | 'seenAt'>;

/** What a token is for, as the UI and the documents say it. */
const kindOf = (type: Json | undefined): Json | undefined => (type === 'client' ? 'backend' : type);

export const apiTokenCreated = defineEvent<TokenData>({
  type: 'api-token-created',
  summary: ({ user, data, bold, text }) =>
    `${user} created ${text(kindOf(data.type))} token ${bold(data.tokenName)}`,
});

export const apiTokenUpdated = defineEvent<TokenData>({
  type: 'api-token-updated',
  summary: ({ user, data, bold, text }) =>
    `${user} updated ${text(kindOf(data.type))} token ${bold(data.tokenName)}`,
});

export const apiTokenDeleted = defineEvent<TokenData>({
  type: 'api-token-deleted',
  summary: ({ user, preData, bold, text }) =>
    `${user} revoked ${text(kindOf(preData.type))} token ${bold(preData.tokenName)}`,
});
