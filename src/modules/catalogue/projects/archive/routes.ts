import { defineUseCase } from '../../../../platform/module.ts';
import { archiveContract } from './contract.ts';
import { archiveProject, reviveProject } from './service.ts';

export const archiveUseCase = defineUseCase({
  contract: archiveContract,
  routes: ({ transact }) => ({
    archiveProject: ({ params }, { actor }) =>
      transact(actor, (tx) => archiveProject(tx, params.projectId)),
    reviveProject: ({ params }, { actor }) =>
      transact(actor, (tx) => reviveProject(tx, params.projectId)),
  }),
});
