import type { FastifyReply } from 'fastify';
import { defineUseCase } from '../../../platform/module.ts';
import { checks } from './checks.ts';
import type { ApiToken } from './contract.ts';
import { contract } from './contract.ts';
import {
  changeExpiry,
  createApiToken,
  createTokenOfProject,
  listTokensFor,
  listTokensOfProject,
  removeApiToken,
  removeTokenOfProject,
} from './service.ts';

/** Sets the Location header. It contains the id, because secrets do not belong in addresses. */
function created(reply: FastifyReply, token: ApiToken): ApiToken {
  reply.header('location', `/api/admin/api-tokens/${encodeURIComponent(token.tokenName)}`);
  return token;
}

export const apiTokenUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ db, transact, findLastUse, settings: { encryptionKeys: keys } }) => {
    /** Uses are stored every 15 s. Someone who looks whether a token is in use sees the latest one. */
    const withLatestUse = (tokens: readonly ApiToken[]) =>
      tokens.map((token) => {
        const latest = findLastUse('api token', token.id)?.toISOString();
        return latest === undefined || latest <= (token.seenAt ?? '')
          ? token
          : { ...token, seenAt: latest };
      });

    return {
      listApiTokens: async (_input, { actor }) => ({
        tokens: withLatestUse(await listTokensFor(db, { actor, keys })),
      }),
      listApiTokensByName: async ({ params: { name } }, { actor }) => ({
        tokens: withLatestUse(await listTokensFor(db, { actor, keys }, { name })),
      }),
      createApiToken: async ({ body }, { actor, reply }) =>
        created(reply, await transact(actor, (tx) => createApiToken(tx, body, { keys }))),
      updateApiToken: ({ params, body }, { actor }) =>
        transact(actor, (tx) => changeExpiry(tx, params.secret, body.expiresAt)),
      deleteApiToken: ({ params }, { actor }) =>
        transact(actor, (tx) => removeApiToken(tx, params.secret)),
      listProjectApiTokens: async ({ params }, { actor }) => ({
        tokens: withLatestUse(await listTokensOfProject(db, { actor, keys }, params.projectId)),
      }),

      createProjectApiToken: async ({ params, body }, { actor, reply }) =>
        created(
          reply,
          await transact(actor, (tx) => createTokenOfProject(tx, params.projectId, body, keys)),
        ),

      deleteProjectApiToken: ({ params }, { actor }) =>
        transact(actor, (tx) => removeTokenOfProject(tx, params.projectId, params.secret)),
    };
  },
});
