import { customRole } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

const roles = '/api/admin/roles';

export const roleMutations: Mutations = {
  scenarios: {
    createRole: (ask) =>
      ask(`POST ${roles}`, {
        payload: { name: 'Created', type: 'custom', permissions: [{ name: 'CREATE_FEATURE' }] },
      }),
    updateRole: async (ask, on) => {
      const role = await customRole(on, 'root-custom', [{ name: 'CREATE_PROJECT' }]);
      return ask(`PUT ${roles}/${role}`, {
        payload: { name: 'Updated', type: 'root-custom', permissions: [{ name: 'READ_ROLE' }] },
      });
    },
    deleteRole: async (ask, on) =>
      ask(`DELETE ${roles}/${await customRole(on, 'custom', [{ name: 'CREATE_FEATURE' }])}`),
  },

  conflicts: {
    createRole: (ask) => ask(`POST ${roles}`, { payload: { name: 'Admin', type: 'root-custom' } }),
    updateRole: async (ask, on) =>
      ask(`PUT ${roles}/${await customRole(on, 'custom', [])}`, { payload: { name: 'Owner' } }),
    validateRole: (ask) => ask(`POST ${roles}/validate`, { payload: { name: 'Admin' } }),
  },

  changesNothing: {
    validateRole: 'only says whether a role could have a name',
  },
};
