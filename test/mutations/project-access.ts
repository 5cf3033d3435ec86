import type { Mutations } from './mutations.ts';

export const projectAccessMutations: Mutations = {
  scenarios: {},
  conflicts: {},
  changesNothing: {},
};
