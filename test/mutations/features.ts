import type { Mutations } from './mutations.ts';

const admin = '/api/admin';
const projects = `${admin}/projects`;
const features = `${projects}/default/features`;

type Ask = Parameters<Mutations['scenarios'][string]>[0];

const create = (ask: Ask, name: string) => ask(`POST ${features}`, { payload: { name } });

async function archived(ask: Ask, name: string) {
  await create(ask, name);
  return ask(`DELETE ${features}/${name}`);
}

export const featureMutations: Mutations = {
  scenarios: {
    updateFeature: async (ask) => {
      await create(ask, 'core-updated');
      return ask(`PUT ${features}/core-updated`, { payload: { description: 'New' } });
    },
    patchFeature: async (ask) => {
      await create(ask, 'core-patched');
      const payload = [{ op: 'replace', path: '/stale', value: true }];
      return ask(`PATCH ${features}/core-patched`, { payload });
    },
    archiveFeature: (ask) => archived(ask, 'core-archived'),
    staleFeatures: async (ask) => {
      await create(ask, 'core-stale');
      const payload = { features: ['core-stale'], stale: true };
      return ask(`POST ${projects}/default/stale`, { payload });
    },
    archiveFeatures: async (ask) => {
      await create(ask, 'core-archived-too');
      const payload = { features: ['core-archived-too'] };
      return ask(`POST ${projects}/default/archive`, { payload });
    },
    reviveFeatures: async (ask) => {
      await archived(ask, 'core-revived-too');
      const payload = { features: ['core-revived-too'] };
      return ask(`POST ${projects}/default/revive`, { payload });
    },
    deleteFeatures: async (ask) => {
      await archived(ask, 'core-deleted-too');
      const payload = { features: ['core-deleted-too'] };
      return ask(`POST ${projects}/default/delete`, { payload });
    },
    reviveFeature: async (ask) => {
      await archived(ask, 'core-revived');
      return ask(`POST ${admin}/archive/revive/core-revived`);
    },
    deleteFeature: async (ask) => {
      await archived(ask, 'core-deleted');
      return ask(`DELETE ${admin}/archive/core-deleted`);
    },
  },

  conflicts: {
    validateFeature: async (ask) => {
      await create(ask, 'core-taken-too');
      const payload = { name: 'core-taken-too' };
      return ask(`POST ${admin}/features/validate`, { payload });
    },
  },

  changesNothing: {
    validateFeature: 'only says whether a name could be used',
    validateArchiveFeatures: 'only says what archiving would do',
  },
};
