import type { FastifyInstance, FastifyReply } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { type ApiToken, contract } from './contract.ts';
import {
  changeExpiry,
  createApiToken,
  createTokenOfProject,
  listTokensFor,
  listTokensOfProject,
  removeApiToken,
  removeTokenOfProject,
} from './service/api-tokens.ts';

/** Says where the token is found from now on; its secret belongs in no address that is kept. */
function created(reply: FastifyReply, token: ApiToken): ApiToken {
  reply.header('location', `/api/admin/api-tokens/${encodeURIComponent(token.tokenName)}`);
  return token;
}

type TokenServices = Pick<Services, 'db' | 'transact' | 'settings'>;

export function tokenRoutes(app: FastifyInstance, services: TokenServices): void {
  const { db, transact } = services;
  const { encryptionKeys: keys } = services.settings;

  route(app, contract.listApiTokens, async (_input, { actor }) => ({
    tokens: await listTokensFor(db, { actor, keys }),
  }));

  route(app, contract.listApiTokensByName, async ({ params: { name } }, { actor }) => ({
    tokens: await listTokensFor(db, { actor, keys }, { name }),
  }));

  route(app, contract.createApiToken, async ({ body }, { actor, reply }) =>
    created(reply, await transact(actor, (tx) => createApiToken(tx, body, { keys }))),
  );

  route(app, contract.updateApiToken, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeExpiry(tx, params.secret, body.expiresAt)),
  );

  route(app, contract.deleteApiToken, ({ params }, { actor }) =>
    transact(actor, (tx) => removeApiToken(tx, params.secret)),
  );

  projectRoutes(app, services);
}

function projectRoutes(app: FastifyInstance, { db, transact, settings }: TokenServices): void {
  const { encryptionKeys: keys } = settings;

  route(app, contract.listProjectApiTokens, async ({ params }, { actor }) => ({
    tokens: await listTokensOfProject(db, { actor, keys }, params.projectId),
  }));

  route(app, contract.createProjectApiToken, async ({ params, body }, { actor, reply }) =>
    created(
      reply,
      await transact(actor, (tx) => createTokenOfProject(tx, params.projectId, body, keys)),
    ),
  );

  route(app, contract.deleteProjectApiToken, ({ params }, { actor }) =>
    transact(actor, (tx) => removeTokenOfProject(tx, params.projectId, params.secret)),
  );
}
