import type { Mutations } from './mutations.ts';

export const clientApiMutations: Mutations = { scenarios: {}, conflicts: {}, changesNothing: {} };
