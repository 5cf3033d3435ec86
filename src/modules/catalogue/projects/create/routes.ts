import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { createContract } from './contract.ts';
import { createProject, validateId } from './service.ts';

export const createUseCase = defineUseCase({
  contract: createContract,
  checks,
  routes: ({ db, transact }) => ({
    createProject: ({ body }, { actor }) => transact(actor, (tx) => createProject(tx, body)),
    validateProjectId: ({ body }) => validateId(db, body.id),
  }),
});
