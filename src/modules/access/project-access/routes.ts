import { defineUseCase } from '../../../platform/module.ts';
import { accessContract } from './contract.ts';
import { groupInPath, userInPath } from './holder-in-path.ts';
import { readAccess } from './queries.ts';
import { addRoles, removeRoles, setAccess, setRoles } from './service.ts';

export const projectAccessUseCase = defineUseCase({
  contract: accessContract,
  routes: ({ db, readAt, transact, settings }) => ({
    getProjectAccess: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return readAccess(at.db, params.projectId, settings.baseUrl);
    },

    addProjectAccess: ({ params, body }, { actor }) =>
      transact(actor, (tx) => addRoles(tx, params.projectId, body)),
    setProjectAccess: ({ params, body }, { actor }) =>
      transact(actor, (tx) => setAccess(tx, params.projectId, body)),
    setUserRoles: ({ params, body }, { actor }) =>
      transact(actor, (tx) => setRoles(tx, userInPath(params), body.roles)),
    removeUserRoles: ({ params }, { actor }) =>
      transact(actor, (tx) => removeRoles(tx, userInPath(params))),
    setGroupRoles: ({ params, body }, { actor }) =>
      transact(actor, (tx) => setRoles(tx, groupInPath(params), body.roles)),
    removeGroupRoles: ({ params }, { actor }) =>
      transact(actor, (tx) => removeRoles(tx, groupInPath(params))),
  }),
});
