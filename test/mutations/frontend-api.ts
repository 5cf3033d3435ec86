import type { Mutations } from './mutations.ts';

export const frontendApiMutations: Mutations = {
  scenarios: {},
  conflicts: {},
  changesNothing: {
    evaluateFrontendFeatures: 'only decides',
    registerFrontendMetrics: 'tells how often features were asked for, which is no change',
    registerFrontendClient: 'tells that an application is there, which is no change',
  },
};
