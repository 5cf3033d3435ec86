import type { FastifyInstance } from 'fastify';
import { pathId } from '../../../platform/http/path-id.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { listRootRoles } from '../roles/index.ts';
import { describeAccess } from '../users/index.ts';
import { contract } from './contract.ts';
import {
  changeServiceAccount,
  createAccountToken,
  createServiceAccount,
  listAccounts,
  listAccountTokens,
  removeAccountToken,
  removeServiceAccount,
} from './service.ts';

const kind = 'service account';

const accountIdOf = ({ id }: { readonly id: string }) => pathId(kind, id);

export function serviceAccountRoutes(
  app: FastifyInstance,
  { db, transact, settings: { baseUrl } }: Services,
): void {
  route(app, contract.listServiceAccounts, async () => ({
    serviceAccounts: await listAccounts(db, baseUrl),
    rootRoles: await listRootRoles(db),
  }));

  route(app, contract.createServiceAccount, ({ body }, { actor }) =>
    transact(actor, (tx) => createServiceAccount(tx, body, baseUrl)),
  );

  route(app, contract.updateServiceAccount, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeServiceAccount(tx, accountIdOf(params), body, baseUrl)),
  );

  route(app, contract.deleteServiceAccount, ({ params }, { actor }) =>
    transact(actor, (tx) => removeServiceAccount(tx, accountIdOf(params))),
  );

  route(app, contract.listServiceAccountTokens, async ({ params }) => ({
    pats: await listAccountTokens(db, accountIdOf(params)),
  }));

  route(app, contract.createServiceAccountToken, ({ params, body }, { actor }) =>
    transact(actor, (tx) => createAccountToken(tx, accountIdOf(params), body)),
  );

  route(app, contract.deleteServiceAccountToken, ({ params }, { actor }) => {
    const tokenId = pathId('personal access token', params.tokenId);
    return transact(actor, (tx) => removeAccountToken(tx, accountIdOf(params), tokenId));
  });

  route(app, contract.getServiceAccountPermissions, ({ params, query }) =>
    describeAccess(db, { id: accountIdOf(params), kind }, query, baseUrl),
  );
}
