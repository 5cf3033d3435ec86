import { defineUseCase } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import {
  changeEnvironment,
  cloneEnvironment,
  createEnvironment,
  getEnvironmentFor,
  listEnvironmentsFor,
  listEnvironmentUsesFor,
  orderEnvironments,
  removeEnvironment,
  switchEnvironment,
  validateName,
} from './service.ts';

export const environmentUseCase = defineUseCase({
  contract,
  routes: ({ db, readAt, transact, runHook }) => ({
    listEnvironments: async ({ query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      const reader = { sees: actor.sees, now: at.now };
      return { version: 1, environments: await listEnvironmentsFor(at.db, reader) };
    },

    getEnvironment: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return getEnvironmentFor(at.db, { sees: actor.sees, now: at.now }, params.name);
    },

    listEnvironmentUses: ({ params }, { actor }) => listEnvironmentUsesFor(db, actor, params.name),
    createEnvironment: ({ body }, { actor }) =>
      transact(actor, (tx) => createEnvironment(tx, body)),
    validateEnvironmentName: ({ body }) => validateName(db, body.name),
    updateSortOrder: ({ body }, { actor }) => transact(actor, (tx) => orderEnvironments(tx, body)),

    updateEnvironment: ({ params, body: { type, sortOrder, requiredApprovals } }, { actor }) =>
      transact(actor, (tx) =>
        changeEnvironment(tx, params.name, {
          ...(type !== undefined && { type }),
          ...(sortOrder !== undefined && { sortOrder }),
          ...(requiredApprovals !== undefined && { requiredApprovals }),
        }),
      ),

    switchEnvironmentOn: ({ params }, { actor }) =>
      transact(actor, (tx) => switchEnvironment(tx, params.name, true)),
    switchEnvironmentOff: ({ params }, { actor }) =>
      transact(actor, (tx) => switchEnvironment(tx, params.name, false)),
    cloneEnvironment: ({ params, body }, { actor }) =>
      transact(actor, (tx) => cloneEnvironment(tx, params.name, body, runHook)),
    deleteEnvironment: ({ params }, { actor }) =>
      transact(actor, (tx) => removeEnvironment(tx, params.name)),
  }),
});
