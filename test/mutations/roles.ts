import type { Mutations } from './mutations.ts';

export const roleMutations: Mutations = { scenarios: {}, conflicts: {}, changesNothing: {} };
