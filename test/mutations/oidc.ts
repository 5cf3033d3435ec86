import type { Mutations } from './mutations.ts';

export const oidcMutations: Mutations = {
  scenarios: {
    setOidcSettings: (ask) =>
      ask('POST /api/admin/auth/oidc/settings', {
        payload: {
          enabled: false,
          discoverUrl: 'https://login.example.com',
          clientId: 'burgee',
          secret: 'scenario-secret',
        },
      }),
  },

  conflicts: {},

  changesNothing: { testOidcSettings: 'asks the provider about itself' },
};
