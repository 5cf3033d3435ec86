import type { Mutations } from './mutations.ts';

export const ofrepMutations: Mutations = {
  scenarios: {},
  conflicts: {},
  changesNothing: { evaluateFlag: 'only decides', evaluateFlags: 'only decides' },
};
