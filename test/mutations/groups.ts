import type { Mutations } from './mutations.ts';

export const groupMutations: Mutations = { scenarios: {}, conflicts: {}, changesNothing: {} };
