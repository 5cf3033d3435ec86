import type { Mutations } from './mutations.ts';

export const personalTokenMutations: Mutations = {
  scenarios: {},
  conflicts: {},
  changesNothing: {},
};
