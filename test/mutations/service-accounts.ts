import type { Mutations } from './mutations.ts';

export const serviceAccountMutations: Mutations = {
  scenarios: {},
  conflicts: {},
  changesNothing: {},
};
