import { pathId } from '../../../platform/http/path-id.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { listPermissions } from './catalogue.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { listRoles } from './queries.ts';
import {
  changeRole,
  createRole,
  getRole,
  listVisibleRoleUsage,
  removeRole,
  validateName,
} from './service.ts';

/** The version of the response format, as in the reference product. */
const version = 1;

const roleIdOf = ({ roleId }: { readonly roleId: string }) => pathId('role', roleId);

export const roleUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ db, transact }) => ({
    listRoles: async () => ({ version, roles: await listRoles(db) }),
    getRole: ({ params }) => getRole(db, roleIdOf(params)),
    listRoleUsage: async ({ params }, { actor }) => ({
      projects: await listVisibleRoleUsage(db, actor, roleIdOf(params)),
    }),

    listPermissions: async () => ({
      version,
      permissions: await listPermissions(db),
    }),

    createRole: async ({ body }, { actor }) => ({
      version,
      roles: await transact(actor, (tx) => createRole(tx, body)),
    }),

    validateRoleName: ({ body }) => validateName(db, body.name),

    updateRole: async ({ params, body }, { actor }) => ({
      version,
      roles: await transact(actor, (tx) => changeRole(tx, roleIdOf(params), body)),
    }),

    deleteRole: ({ params }, { actor }) =>
      transact(actor, (tx) => removeRole(tx, roleIdOf(params))),
  }),
});
