import type { FastifyInstance, FastifyReply } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import type { ApiToken } from './contract.ts';
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

type TokenServices = Pick<Services, 'db' | 'transact' | 'settings'>;

export function tokenRoutes(app: FastifyInstance, services: TokenServices): void {
  const { db, transact } = services;
  const { encryptionKeys: keys } = services.settings;

  route(app, endpoints.listApiTokens, async (_input, { actor }) => ({
    tokens: await listTokensFor(db, { actor, keys }),
  }));

  route(app, endpoints.listApiTokensByName, async ({ params: { name } }, { actor }) => ({
    tokens: await listTokensFor(db, { actor, keys }, { name }),
  }));

  route(app, endpoints.createApiToken, async ({ body }, { actor, reply }) =>
    created(reply, await transact(actor, (tx) => createApiToken(tx, body, { keys }))),
  );

  route(app, endpoints.updateApiToken, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeExpiry(tx, params.secret, body.expiresAt)),
  );

  route(app, endpoints.deleteApiToken, ({ params }, { actor }) =>
    transact(actor, (tx) => removeApiToken(tx, params.secret)),
  );

  projectRoutes(app, services);
}

function projectRoutes(app: FastifyInstance, { db, transact, settings }: TokenServices): void {
  const { encryptionKeys: keys } = settings;

  route(app, endpoints.listProjectApiTokens, async ({ params }, { actor }) => ({
    tokens: await listTokensOfProject(db, { actor, keys }, params.projectId),
  }));

  route(app, endpoints.createProjectApiToken, async ({ params, body }, { actor, reply }) =>
    created(
      reply,
      await transact(actor, (tx) => createTokenOfProject(tx, params.projectId, body, keys)),
    ),
  );

  route(app, endpoints.deleteProjectApiToken, ({ params }, { actor }) =>
    transact(actor, (tx) => removeTokenOfProject(tx, params.projectId, params.secret)),
  );
}
