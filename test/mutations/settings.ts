import type { Mutations } from './mutations.ts';

const admin = '/api/admin';

export const settingMutations: Mutations = {
  scenarios: {
    // Not true, because all later requests would be rejected.
    toggleMaintenance: (ask) => ask(`POST ${admin}/maintenance`, { payload: { enabled: false } }),
    setCors: (ask) =>
      ask(`POST ${admin}/ui-config/cors`, {
        payload: { frontendApiOrigins: ['https://shop.example.com'] },
      }),
    setUiConfig: (ask) =>
      ask(`POST ${admin}/ui-config`, {
        payload: { frontendSettings: { frontendApiOrigins: ['https://old.example.com'] } },
      }),
    setRetentionSettings: (ask) =>
      ask(`PUT ${admin}/settings/retention`, { payload: { eventDays: 3650 } }),
    setSimpleSettings: (ask) =>
      ask(`POST ${admin}/auth/simple/settings`, { payload: { disabled: false } }),
  },

  conflicts: {},

  changesNothing: {},
};
