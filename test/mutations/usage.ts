import type { Mutations } from './mutations.ts';

export const usageMutations: Mutations = { scenarios: {}, conflicts: {}, changesNothing: {} };
