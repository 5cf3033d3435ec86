import type { Mutations } from './mutations.ts';

export const tokenMutations: Mutations = { scenarios: {}, conflicts: {}, changesNothing: {} };
