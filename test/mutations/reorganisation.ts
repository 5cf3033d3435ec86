import type { Mutations } from './mutations.ts';

const environments = '/api/admin/environments';
const projects = '/api/admin/projects';

export const reorganisationMutations: Mutations = {
  scenarios: {
    changeProject: async (ask) => {
      await ask(`POST ${projects}`, { payload: { id: 'to-enter', name: 'To enter' } });
      await ask(`POST ${projects}/default/features`, { payload: { name: 'to-move' } });
      return ask(`POST ${projects}/default/features/to-move/changeProject`, {
        payload: { newProjectId: 'to-enter' },
      });
    },
    deleteProject: async (ask) => {
      await ask(`POST ${projects}`, { payload: { id: 'to-delete', name: 'To delete' } });
      return ask(`DELETE ${projects}/to-delete`);
    },
    removeEnvironmentFromProject: async (ask) => {
      await ask(`POST ${projects}`, { payload: { id: 'to-leave', name: 'To leave' } });
      return ask(`DELETE ${projects}/to-leave/environments/production`);
    },
    cloneEnvironment: (ask) =>
      ask(`POST ${environments}/production/clone`, { payload: { name: 'cloned' } }),
  },

  conflicts: {
    cloneEnvironment: (ask) =>
      ask(`POST ${environments}/production/clone`, { payload: { name: 'development' } }),
  },

  changesNothing: {},
};
