import type { Mutations } from './mutations.ts';

export const codeReferenceMutations: Mutations = {
  scenarios: {},
  conflicts: {},
  changesNothing: {},
};
