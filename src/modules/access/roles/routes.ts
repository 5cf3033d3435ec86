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
  routes: ({ db, readAt, transact }) => ({
    listRoles: async ({ query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { version, roles: await listRoles(at.db) };
    },

    getRole: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return getRole(at.db, roleIdOf(params));
    },

    listRoleUsage: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { projects: await listVisibleRoleUsage(at.db, actor, roleIdOf(params)) };
    },

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
