import type { Mutations } from './mutations.ts';

export const settingMutations: Mutations = { scenarios: {}, conflicts: {}, changesNothing: {} };
