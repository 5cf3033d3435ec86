import type { FastifyInstance } from 'fastify';
import { pathId } from '../../../platform/http/path-id.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { requireAccount } from '../users/index.ts';
import { contract } from './contract.ts';
import { createPersonalToken, listPersonalTokens, removePersonalToken } from './service.ts';

export function personalTokenRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, contract.listPersonalTokens, async (_input, { actor }) => ({
    pats: await listPersonalTokens(db, requireAccount(actor)),
  }));

  route(app, contract.createPersonalToken, async ({ body }, { actor }) => {
    const owner = { id: requireAccount(actor) };
    return transact(actor, (tx) => createPersonalToken(tx, owner, body));
  });

  route(app, contract.deletePersonalToken, async ({ params }, { actor }) => {
    const owner = { id: requireAccount(actor) };
    const id = pathId('personal access token', params.id);
    return transact(actor, (tx) => removePersonalToken(tx, owner, id));
  });
}
