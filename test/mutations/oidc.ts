import type { Mutations } from './mutations.ts';

export const oidcMutations: Mutations = { scenarios: {}, conflicts: {}, changesNothing: {} };
