import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/endpoint.ts';
import type { Services } from '../../platform/module.ts';
import { accessContract } from './contract/access.ts';
import { oneRoleContract } from './contract/one-role.ts';
import {
  addRoles,
  addToRole,
  getProjectAccess,
  removeRoles,
  setAccess,
  setRoles,
} from './service/access.ts';
import { addRole, changeRole, removeRole } from './service/one-role.ts';

export function projectAccessRoutes(app: FastifyInstance, services: Services): void {
  routeAccess(app, services);
  routeOneRole(app, services);
}

function routeAccess(app: FastifyInstance, { db, transact, settings }: Services): void {
  const contract = accessContract;

  route(app, contract.getProjectAccess, ({ params }) =>
    getProjectAccess(db, params.projectId, settings.baseUrl),
  );

  route(app, contract.addProjectAccess, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addRoles(tx, params.projectId, body)),
  );

  route(app, contract.setProjectAccess, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setAccess(tx, params.projectId, body)),
  );

  route(app, contract.setUserRoles, ({ params: { projectId, userId }, body }, { actor }) =>
    transact(actor, (tx) =>
      setRoles(tx, { project: projectId, kind: 'user', holder: userId }, body.roles),
    ),
  );

  route(app, contract.removeUserRoles, ({ params: { projectId, userId } }, { actor }) =>
    transact(actor, (tx) => removeRoles(tx, { project: projectId, kind: 'user', holder: userId })),
  );

  route(app, contract.setGroupRoles, ({ params: { projectId, groupId }, body }, { actor }) =>
    transact(actor, (tx) =>
      setRoles(tx, { project: projectId, kind: 'group', holder: groupId }, body.roles),
    ),
  );

  route(app, contract.removeGroupRoles, ({ params: { projectId, groupId } }, { actor }) =>
    transact(actor, (tx) =>
      removeRoles(tx, { project: projectId, kind: 'group', holder: groupId }),
    ),
  );
}

const userPlace = (params: { projectId: string; userId: string; roleId: string }) => ({
  project: params.projectId,
  kind: 'user' as const,
  holder: params.userId,
  role: params.roleId,
});

const groupPlace = (params: { projectId: string; groupId: string; roleId: string }) => ({
  project: params.projectId,
  kind: 'group' as const,
  holder: params.groupId,
  role: params.roleId,
});

function routeOneRole(app: FastifyInstance, { db, transact, settings }: Services): void {
  const contract = oneRoleContract;

  route(app, contract.addUserRole, ({ params }, { actor }) =>
    transact(actor, (tx) => addRole(tx, userPlace(params))),
  );

  route(app, contract.changeUserRole, ({ params }, { actor }) =>
    transact(actor, (tx) => changeRole(tx, userPlace(params))),
  );

  route(app, contract.removeUserRole, ({ params }, { actor }) =>
    transact(actor, (tx) => removeRole(tx, userPlace(params))),
  );

  route(app, contract.addGroupRole, ({ params }, { actor }) =>
    transact(actor, (tx) => addRole(tx, groupPlace(params))),
  );

  route(app, contract.changeGroupRole, ({ params }, { actor }) =>
    transact(actor, (tx) => changeRole(tx, groupPlace(params))),
  );

  route(app, contract.removeGroupRole, ({ params }, { actor }) =>
    transact(actor, (tx) => removeRole(tx, groupPlace(params))),
  );

  route(app, contract.addToRole, ({ params: { projectId, roleId }, body }, { actor }) =>
    transact(actor, (tx) => addToRole(tx, projectId, roleId, body)),
  );

  route(app, contract.listProjectUsers, async ({ params }) => {
    const { users, roles } = await getProjectAccess(db, params.projectId, settings.baseUrl);
    return { users, roles };
  });
}
