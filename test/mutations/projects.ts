import type { Mutations } from './mutations.ts';

const environments = '/api/admin/environments';
const projects = '/api/admin/projects';

export const projectMutations: Mutations = {
  scenarios: {
    deleteProject: async (ask) => {
      await ask(`POST ${projects}`, { payload: { id: 'to-delete', name: 'To delete' } });
      return ask(`DELETE ${projects}/to-delete`);
    },
    removeEnvironmentFromProject: async (ask) => {
      await ask(`POST ${projects}`, { payload: { id: 'to-leave', name: 'To leave' } });
      return ask(`DELETE ${projects}/to-leave/environments/production`);
    },
    createProject: (ask) => ask(`POST ${projects}`, { payload: { name: 'Created' } }),
    updateProject: (ask) => ask(`PUT ${projects}/default`, { payload: { name: 'Renamed' } }),
    updateProjectEnterpriseSettings: (ask) =>
      ask(`PUT ${projects}/default/settings`, { payload: { featureLimit: 900 } }),
    archiveProject: async (ask) => {
      await ask(`POST ${projects}`, { payload: { id: 'to-archive', name: 'To archive' } });
      return ask(`POST ${projects}/archive/to-archive`);
    },
    reviveProject: async (ask) => {
      await ask(`POST ${projects}`, { payload: { id: 'to-revive', name: 'To revive' } });
      await ask(`POST ${projects}/archive/to-revive`);
      return ask(`POST ${projects}/revive/to-revive`);
    },
    addEnvironmentToProject: async (ask) => {
      await ask(`POST ${environments}`, { payload: { name: 'to-add', type: 'test' } });
      return ask(`POST ${projects}/default/environments`, { payload: { environment: 'to-add' } });
    },
    addFavoriteProject: (ask) => ask(`POST ${projects}/default/favorites`),
    removeFavoriteProject: async (ask) => {
      await ask(`POST ${projects}`, { payload: { id: 'to-disfavour', name: 'To disfavour' } });
      await ask(`POST ${projects}/to-disfavour/favorites`);
      return ask(`DELETE ${projects}/to-disfavour/favorites`);
    },
    addDefaultStrategyToProjectEnvironment: (ask) =>
      ask(`POST ${projects}/default/environments/production/default-strategy`, {
        payload: { name: 'flexibleRollout' },
      }),
    updateProjectChangeRequestConfig: (ask) =>
      ask(`PUT ${projects}/default/environments/production/change-requests/config`, {
        payload: { changeRequestsEnabled: false, requiredApprovals: 2 },
      }),
  },

  conflicts: {
    createProject: (ask) =>
      ask(`POST ${projects}`, { payload: { id: 'default', name: 'Default' } }),
    validateProject: (ask) => ask(`POST ${projects}/validate`, { payload: { id: 'default' } }),
    addEnvironmentToProject: (ask) =>
      ask(`POST ${projects}/default/environments`, { payload: { environment: 'production' } }),
  },

  changesNothing: {
    validateProject: 'only says whether an id could be used',
  },
};
