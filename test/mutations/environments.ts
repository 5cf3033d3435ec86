import type { Mutations } from './mutations.ts';

const environments = '/api/admin/environments';

export const environmentMutations: Mutations = {
  scenarios: {
    cloneEnvironment: (ask) =>
      ask(`POST ${environments}/production/clone`, { payload: { name: 'cloned' } }),
    createEnvironment: (ask) =>
      ask(`POST ${environments}`, { payload: { name: 'created', type: 'test' } }),
    updateSortOrder: (ask) =>
      ask(`PUT ${environments}/sort-order`, { payload: { production: 7, development: 8 } }),
    updateEnvironment: (ask) =>
      ask(`PUT ${environments}/update/production`, { payload: { type: 'other' } }),
    toggleEnvironmentOn: async (ask) => {
      const payload = { name: 'to-switch-on', type: 'test', enabled: false };
      await ask(`POST ${environments}`, { payload });
      return ask(`POST ${environments}/to-switch-on/on`);
    },
    toggleEnvironmentOff: async (ask) => {
      await ask(`POST ${environments}`, { payload: { name: 'to-switch-off', type: 'test' } });
      return ask(`POST ${environments}/to-switch-off/off`);
    },
    removeEnvironment: async (ask) => {
      await ask(`POST ${environments}`, { payload: { name: 'to-remove', type: 'test' } });
      return ask(`DELETE ${environments}/to-remove`);
    },
  },

  conflicts: {
    cloneEnvironment: (ask) =>
      ask(`POST ${environments}/production/clone`, { payload: { name: 'development' } }),
    createEnvironment: (ask) =>
      ask(`POST ${environments}`, { payload: { name: 'production', type: 'test' } }),
    validateEnvironmentName: (ask) =>
      ask(`POST ${environments}/validate`, { payload: { name: 'production' } }),
  },

  changesNothing: {
    validateEnvironmentName: 'only says whether a name could be used',
  },
};
