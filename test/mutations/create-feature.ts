import type { Mutations } from './mutations.ts';

const features = '/api/admin/projects/default/features';

/** With everything that one request can set. */
const whole = (name: string) => ({
  name,
  tags: [{ type: 'simple', value: 'whole' }],
  environments: [
    {
      name: 'development',
      enabled: true,
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: 50 } }, { name: 'default' }],
      variants: [{ name: 'blue', weight: 1000 }],
    },
    { name: 'production', enabled: true },
  ],
});

export const createFeatureMutations: Mutations = {
  scenarios: {
    // Settings in environments need more permissions, which flags/features/create tests.
    createFeature: (ask) =>
      ask(`POST ${features}`, {
        payload: { name: 'core-created', environments: [{ name: 'production', enabled: false }] },
      }),
  },

  conflicts: {
    createFeature: async (ask) => {
      await ask(`POST ${features}`, { payload: whole('core-taken') });
      return ask(`POST ${features}`, { payload: whole('core-taken') });
    },
  },

  changesNothing: {},
};
