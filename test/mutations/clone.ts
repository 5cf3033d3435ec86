import type { Mutations, Scenario } from './mutations.ts';

const features = '/api/admin/projects/default/features';

/** Creates a feature and then clones it. */
const copying =
  (source: string, request: Scenario): Scenario =>
  async (ask, app) => {
    await ask(`POST ${features}`, { payload: { name: source } });
    return request(ask, app);
  };

export const cloneMutations: Mutations = {
  scenarios: {
    cloneFeature: copying('to-clone', (ask) =>
      ask(`POST ${features}/to-clone/clone`, { payload: { name: 'cloned' } }),
    ),
    cloneFeatures: copying('to-clone-often', (ask) =>
      ask(`POST ${features}/clone`, {
        payload: { features: [{ feature: 'to-clone-often', name: 'cloned-often' }] },
      }),
    ),
  },

  conflicts: {
    cloneFeature: copying('to-clone-in-vain', (ask) =>
      ask(`POST ${features}/to-clone-in-vain/clone`, { payload: { name: 'to-clone-in-vain' } }),
    ),
    cloneFeatures: copying('to-clone-in-vain-too', (ask) =>
      ask(`POST ${features}/clone`, {
        payload: { features: [{ feature: 'to-clone-in-vain-too', name: 'to-clone-in-vain-too' }] },
      }),
    ),
  },

  changesNothing: {},
};
