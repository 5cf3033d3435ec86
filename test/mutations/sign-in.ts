import type { Mutations } from './mutations.ts';

export const signInMutations: Mutations = { scenarios: {}, conflicts: {}, changesNothing: {} };
