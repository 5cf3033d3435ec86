import type { TestApp } from '../support/app.ts';
import type { Mutations } from './mutations.ts';

const addons = '/api/admin/addons';

/** Disabled, because its deliveries do not matter here. */
const webhook = (description: string, more: object = {}) => ({
  provider: 'webhook',
  description,
  enabled: false,
  parameters: { url: 'http://127.0.0.1:9/hook' },
  events: ['feature-created'],
  ...more,
});

const create = async (ask: TestApp['ask'], description: string): Promise<number> =>
  (await ask(`POST ${addons}`, { payload: webhook(description) })).json().id;

export const integrationMutations: Mutations = {
  scenarios: {
    createAddon: (ask) => ask(`POST ${addons}`, { payload: webhook('created') }),
    updateAddon: async (ask) => {
      const id = await create(ask, 'to-update');
      return ask(`PUT ${addons}/${id}`, {
        payload: webhook('updated', { parameters: { url: '*****' } }),
      });
    },
    deleteAddon: async (ask) => {
      const id = await create(ask, 'to-delete');
      return ask(`DELETE ${addons}/${id}`);
    },
    createAddonSigningSecret: async (ask) => {
      const id = await create(ask, 'to-sign-anew');
      return ask(`POST ${addons}/${id}/signing-secret`);
    },
  },

  conflicts: {},

  changesNothing: { previewAddon: 'says what would have been sent; nothing is' },
};
