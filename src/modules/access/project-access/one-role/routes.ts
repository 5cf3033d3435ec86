import { pathId } from '../../../../platform/http/path-id.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { groupInPath, userInPath } from '../holder-in-path.ts';
import { readAccess } from '../queries.ts';
import { addToRole } from '../service.ts';
import { oneRoleContract } from './contract.ts';
import { addRole, changeRole, removeRole } from './service.ts';

const roleIdOf = ({ roleId }: { readonly roleId: string }) => pathId('role', roleId);

type OfRole = { readonly roleId: string };

const userRole = (params: Parameters<typeof userInPath>[0] & OfRole) => ({
  ...userInPath(params),
  role: roleIdOf(params),
});

const groupRole = (params: Parameters<typeof groupInPath>[0] & OfRole) => ({
  ...groupInPath(params),
  role: roleIdOf(params),
});

export const oneRoleUseCase = defineUseCase({
  contract: oneRoleContract,
  routes: ({ db, transact, settings }) => ({
    addUserRole: ({ params }, { actor }) => transact(actor, (tx) => addRole(tx, userRole(params))),
    changeUserRole: ({ params }, { actor }) =>
      transact(actor, (tx) => changeRole(tx, userRole(params))),
    removeUserRole: ({ params }, { actor }) =>
      transact(actor, (tx) => removeRole(tx, userRole(params))),
    addGroupRole: ({ params }, { actor }) =>
      transact(actor, (tx) => addRole(tx, groupRole(params))),
    changeGroupRole: ({ params }, { actor }) =>
      transact(actor, (tx) => changeRole(tx, groupRole(params))),
    removeGroupRole: ({ params }, { actor }) =>
      transact(actor, (tx) => removeRole(tx, groupRole(params))),
    addToRole: ({ params, body }, { actor }) =>
      transact(actor, (tx) => addToRole(tx, params.projectId, roleIdOf(params), body)),

    listProjectUsers: async ({ params }) => {
      const { users, roles } = await readAccess(db, params.projectId, settings.baseUrl);
      return { users, roles };
    },
  }),
});
