import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { accessContract } from './contract.ts';
import { groupInPath, userInPath } from './holder-in-path.ts';
import { readAccess } from './queries.ts';
import { addRoles, removeRoles, setAccess, setRoles } from './service.ts';

export function projectAccessRoutes(
  app: FastifyInstance,
  { db, transact, settings }: Services,
): void {
  route(app, accessContract.getProjectAccess, ({ params }) =>
    readAccess(db, params.projectId, settings.baseUrl),
  );

  route(app, accessContract.addProjectAccess, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addRoles(tx, params.projectId, body)),
  );

  route(app, accessContract.setProjectAccess, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setAccess(tx, params.projectId, body)),
  );

  route(app, accessContract.setUserRoles, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setRoles(tx, userInPath(params), body.roles)),
  );

  route(app, accessContract.removeUserRoles, ({ params }, { actor }) =>
    transact(actor, (tx) => removeRoles(tx, userInPath(params))),
  );

  route(app, accessContract.setGroupRoles, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setRoles(tx, groupInPath(params), body.roles)),
  );

  route(app, accessContract.removeGroupRoles, ({ params }, { actor }) =>
    transact(actor, (tx) => removeRoles(tx, groupInPath(params))),
  );
}
