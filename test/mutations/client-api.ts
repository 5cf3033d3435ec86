import type { Mutations } from './mutations.ts';

export const clientApiMutations: Mutations = {
  scenarios: {},
  conflicts: {},
  changesNothing: { getValidTokens: 'only says which tokens are valid' },
};
