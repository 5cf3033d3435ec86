import type { Mutations } from './mutations.ts';

export const playgroundMutations: Mutations = {
  scenarios: {},
  conflicts: {},
  changesNothing: {
    getPlayground: 'only says what would be decided',
    evaluateUnsavedFeature: 'only says what would be decided',
    getPlaygroundDecisions: 'only says what would be decided',
    getAdvancedPlayground: 'only says what would be decided',
  },
};
