import type { Mutations } from './mutations.ts';

export const userMutations: Mutations = { scenarios: {}, conflicts: {}, changesNothing: {} };
