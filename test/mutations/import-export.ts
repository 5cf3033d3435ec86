import type { Mutations } from './mutations.ts';

const batch = '/api/admin/features-batch';

export const importExportMutations: Mutations = {
  scenarios: {
    exportFeatures: (ask) =>
      ask(`POST ${batch}/export`, { payload: { environment: 'production', project: 'default' } }),
    importToggles: (ask) =>
      ask(`POST ${batch}/import`, {
        payload: {
          project: 'default',
          environment: 'production',
          data: { features: [{ name: 'imported' }], featureStrategies: [] },
        },
      }),
  },

  conflicts: {},

  changesNothing: {
    validateImport: 'only says what an import would do',
  },
};
