import type { Mutations } from './mutations.ts';

export const frontendApiMutations: Mutations = { scenarios: {}, conflicts: {}, changesNothing: {} };
