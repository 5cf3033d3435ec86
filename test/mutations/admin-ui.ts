import type { Mutations } from './mutations.ts';

export const adminUiMutations: Mutations = {
  scenarios: {},
  conflicts: {},
  changesNothing: {
    reportCspViolations: 'a violation is a line of the log',
    recordUiError: 'a failure of a page is a line of the log',
    deprecatedSearchEvents: 'an older search',
  },
};
