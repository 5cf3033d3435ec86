import { pathId } from '../../../platform/http/path-id.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { changeIntegration, changeSigningSecret } from './change.ts';
import { checks } from './checks.ts';
import { configurationContract } from './contract.ts';
import {
  createIntegration,
  getIntegrationFor,
  listIntegrationsFor,
  removeIntegration,
} from './service.ts';

const idOf = (params: { readonly id: string }): number => pathId('integration', params.id);

export const configurationUseCase = defineUseCase({
  contract: configurationContract,
  checks,
  routes: ({ db, transact, settings, clock }) => ({
    listIntegrations: (_input, { actor }) => listIntegrationsFor(db, actor, clock()),
    getIntegration: async ({ params }, { actor }) =>
      getIntegrationFor(db, actor, idOf(params), clock()),
    createIntegration: ({ body }, { actor }) =>
      transact(actor, (tx) => createIntegration(tx, settings, body)),

    updateIntegration: async ({ params, body }, { actor }) => {
      const id = idOf(params);
      return transact(actor, (tx) => changeIntegration(tx, settings, id, body));
    },

    deleteIntegration: async ({ params }, { actor }) => {
      const id = idOf(params);
      return transact(actor, (tx) => removeIntegration(tx, settings, id));
    },

    createSigningSecret: async ({ params }, { actor }) => {
      const id = idOf(params);
      return transact(actor, (tx) => changeSigningSecret(tx, settings, id));
    },
  }),
});
