import { customRole } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

const roles = '/api/admin/roles';

export const roleMutations: Mutations = {
  scenarios: {
    createRole: (ask) =>
      ask(`POST ${roles}`, {
        payload: { name: 'Created', type: 'custom', permissions: [{ name: 'CREATE_FEATURE' }] },
      }),
    updateRole: async (ask, app) => {
      const role = await customRole(app, 'root-custom', [{ name: 'CREATE_PROJECT' }]);
      return ask(`PUT ${roles}/${role}`, {
        payload: { name: 'Updated', type: 'root-custom', permissions: [{ name: 'READ_ROLE' }] },
      });
    },
    deleteRole: async (ask, app) =>
      ask(`DELETE ${roles}/${await customRole(app, 'custom', [{ name: 'CREATE_FEATURE' }])}`),
  },

  conflicts: {
    createRole: (ask) => ask(`POST ${roles}`, { payload: { name: 'Admin', type: 'root-custom' } }),
    updateRole: async (ask, app) =>
      ask(`PUT ${roles}/${await customRole(app, 'custom', [])}`, { payload: { name: 'Owner' } }),
    validateRole: (ask) => ask(`POST ${roles}/validate`, { payload: { name: 'Admin' } }),
  },

  changesNothing: {
    validateRole: 'only says whether a role could have a name',
  },
};
