import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { changeContract } from './contract.ts';
import { changeProject } from './service.ts';

export const changeUseCase = defineUseCase({
  contract: changeContract,
  checks,
  routes: ({ transact }) => ({
    updateProject: ({ params, body }, { actor }) =>
      transact(actor, (tx) => changeProject(tx, params.projectId, body)),
    updateProjectSettings: ({ params, body }, { actor }) =>
      transact(actor, (tx) => changeProject(tx, params.projectId, body)),
  }),
});
