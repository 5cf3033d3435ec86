import type { Mutations } from './mutations.ts';

export const playgroundMutations: Mutations = { scenarios: {}, conflicts: {}, changesNothing: {} };
