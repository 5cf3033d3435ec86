import { pathId } from '../../../platform/http/path-id.ts';
import { defineUseCase } from '../../../platform/module.ts';
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

export const serviceAccountUseCase = defineUseCase({
  contract,
  routes: ({ db, transact, settings: { baseUrl } }) => ({
    listServiceAccounts: async () => ({
      serviceAccounts: await listAccounts(db, baseUrl),
      rootRoles: await listRootRoles(db),
    }),

    createServiceAccount: ({ body }, { actor }) =>
      transact(actor, (tx) => createServiceAccount(tx, body, baseUrl)),
    updateServiceAccount: ({ params, body }, { actor }) =>
      transact(actor, (tx) => changeServiceAccount(tx, accountIdOf(params), body, baseUrl)),
    deleteServiceAccount: ({ params }, { actor }) =>
      transact(actor, (tx) => removeServiceAccount(tx, accountIdOf(params))),
    listServiceAccountTokens: async ({ params }) => ({
      pats: await listAccountTokens(db, accountIdOf(params)),
    }),
    createServiceAccountToken: ({ params, body }, { actor }) =>
      transact(actor, (tx) => createAccountToken(tx, accountIdOf(params), body)),

    deleteServiceAccountToken: ({ params }, { actor }) => {
      const tokenId = pathId('personal access token', params.tokenId);
      return transact(actor, (tx) => removeAccountToken(tx, accountIdOf(params), tokenId));
    },

    getServiceAccountPermissions: ({ params, query }) =>
      describeAccess(db, { id: accountIdOf(params), kind }, query, baseUrl),
  }),
});
