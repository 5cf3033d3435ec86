import type { Mutations } from './mutations.ts';

export const bulkMutations: Mutations = {
  scenarios: {
    changeFeaturesInBulk: async (ask) => {
      await ask('POST /api/admin/projects/default/features', { payload: { name: 'one-of-many' } });
      return ask('POST /api/admin/features/bulk', {
        payload: { action: 'mark-stale', features: ['one-of-many'] },
      });
    },
  },

  conflicts: {},

  changesNothing: {},
};
