import type { Mutations } from './mutations.ts';

const projects = '/api/admin/projects';

export const moveMutations: Mutations = {
  scenarios: {
    changeProject: async (ask) => {
      await ask(`POST ${projects}`, { payload: { id: 'to-enter', name: 'To enter' } });
      await ask(`POST ${projects}/default/features`, { payload: { name: 'to-move' } });
      return ask(`POST ${projects}/default/features/to-move/changeProject`, {
        payload: { newProjectId: 'to-enter' },
      });
    },
  },

  conflicts: {},

  changesNothing: {},
};
