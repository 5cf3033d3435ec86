import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/endpoint.ts';
import type { Services } from '../../platform/module.ts';
import { listRootRoles } from '../roles/index.ts';
import { contract } from './contract.ts';
import {
  changeServiceAccount,
  createAccountToken,
  createServiceAccount,
  describeAccountAccess,
  listAccounts,
  listAccountTokens,
  removeAccountToken,
  removeServiceAccount,
} from './service.ts';

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
    transact(actor, (tx) => changeServiceAccount(tx, params.id, body, baseUrl)),
  );

  route(app, contract.deleteServiceAccount, ({ params }, { actor }) =>
    transact(actor, (tx) => removeServiceAccount(tx, params.id)),
  );

  route(app, contract.listServiceAccountTokens, async ({ params }) => ({
    pats: await listAccountTokens(db, params.id),
  }));

  route(app, contract.createServiceAccountToken, ({ params, body }, { actor }) =>
    transact(actor, (tx) => createAccountToken(tx, params.id, body)),
  );

  route(app, contract.deleteServiceAccountToken, ({ params }, { actor }) =>
    transact(actor, (tx) => removeAccountToken(tx, params.id, params.tokenId)),
  );

  route(app, contract.getServiceAccountPermissions, ({ params, query }) =>
    describeAccountAccess(db, params.id, query, baseUrl),
  );
}
