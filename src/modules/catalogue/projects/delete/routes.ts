import { defineUseCase } from '../../../../platform/module.ts';
import { deleteContract } from './contract.ts';
import { removeProject } from './service.ts';

export const deleteUseCase = defineUseCase({
  contract: deleteContract,
  routes: ({ transact, runHook }) => ({
    deleteProject: ({ params }, { actor }) =>
      transact(actor, (tx) => removeProject(tx, params.projectId, runHook)),
  }),
});
