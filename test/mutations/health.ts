import type { Mutations } from './mutations.ts';

export const healthMutations: Mutations = { scenarios: {}, conflicts: {}, changesNothing: {} };
