import type { FastifyInstance } from 'fastify';
import { pathId } from '../../../platform/http/path-id.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { accessContract } from './contract/access.ts';
import { oneRoleContract } from './contract/one-role.ts';
import { readAccess } from './queries/access.ts';
import { addRoles, addToRole, removeRoles, setAccess, setRoles } from './service/access.ts';
import { addRole, changeRole, removeRole } from './service/one-role.ts';

const roleIdOf = ({ roleId }: { readonly roleId: string }) => pathId('role', roleId);

const userPlace = (params: { readonly projectId: string; readonly userId: string }) => ({
  project: params.projectId,
  kind: 'user' as const,
  holder: pathId('user', params.userId),
});

const groupPlace = (params: { readonly projectId: string; readonly groupId: string }) => ({
  project: params.projectId,
  kind: 'group' as const,
  holder: pathId('group', params.groupId),
});

export function projectAccessRoutes(app: FastifyInstance, services: Services): void {
  routeAccess(app, services);
  routeOneRole(app, services);
}

function routeAccess(app: FastifyInstance, { db, transact, settings }: Services): void {
  const contract = accessContract;

  route(app, contract.getProjectAccess, ({ params }) =>
    readAccess(db, params.projectId, settings.baseUrl),
  );

  route(app, contract.addProjectAccess, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addRoles(tx, params.projectId, body)),
  );

  route(app, contract.setProjectAccess, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setAccess(tx, params.projectId, body)),
  );

  route(app, contract.setUserRoles, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setRoles(tx, userPlace(params), body.roles)),
  );

  route(app, contract.removeUserRoles, ({ params }, { actor }) =>
    transact(actor, (tx) => removeRoles(tx, userPlace(params))),
  );

  route(app, contract.setGroupRoles, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setRoles(tx, groupPlace(params), body.roles)),
  );

  route(app, contract.removeGroupRoles, ({ params }, { actor }) =>
    transact(actor, (tx) => removeRoles(tx, groupPlace(params))),
  );
}

type OfRole = { readonly roleId: string };

const userRole = (params: Parameters<typeof userPlace>[0] & OfRole) => ({
  ...userPlace(params),
  role: roleIdOf(params),
});

const groupRole = (params: Parameters<typeof groupPlace>[0] & OfRole) => ({
  ...groupPlace(params),
  role: roleIdOf(params),
});

function routeOneRole(app: FastifyInstance, { db, transact, settings }: Services): void {
  const contract = oneRoleContract;

  route(app, contract.addUserRole, ({ params }, { actor }) =>
    transact(actor, (tx) => addRole(tx, userRole(params))),
  );

  route(app, contract.changeUserRole, ({ params }, { actor }) =>
    transact(actor, (tx) => changeRole(tx, userRole(params))),
  );

  route(app, contract.removeUserRole, ({ params }, { actor }) =>
    transact(actor, (tx) => removeRole(tx, userRole(params))),
  );

  route(app, contract.addGroupRole, ({ params }, { actor }) =>
    transact(actor, (tx) => addRole(tx, groupRole(params))),
  );

  route(app, contract.changeGroupRole, ({ params }, { actor }) =>
    transact(actor, (tx) => changeRole(tx, groupRole(params))),
  );

  route(app, contract.removeGroupRole, ({ params }, { actor }) =>
    transact(actor, (tx) => removeRole(tx, groupRole(params))),
  );

  route(app, contract.addToRole, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addToRole(tx, params.projectId, roleIdOf(params), body)),
  );

  route(app, contract.listProjectUsers, async ({ params }) => {
    const { users, roles } = await readAccess(db, params.projectId, settings.baseUrl);
    return { users, roles };
  });
}
