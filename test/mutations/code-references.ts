import type { Mutations } from './mutations.ts';

export const codeReferenceMutations: Mutations = {
  scenarios: {},
  conflicts: {},
  changesNothing: {
    replaceCodeReferences: 'measured, like the metrics of SDKs: what a search through code found',
    deleteCodeReferences: 'forgets what was measured',
  },
};
