import { defineUseCase } from '../../../platform/module.ts';
import { checks } from './checks.ts';
import { projectContract } from './contract.ts';
import { listProjectsFor } from './read.ts';
import {
  archiveProject,
  changeProject,
  createProject,
  removeProject,
  reviveProject,
  validateId,
} from './service.ts';

/** The version of the response format that clients of the reference expect. */
const version = 1;

export const projectUseCase = defineUseCase({
  contract: projectContract,
  checks,
  routes: ({ db, transact, clock, runHook, settings: { baseUrl } }) => ({
    listProjects: async ({ query }, { actor }) => ({
      version,
      projects: await listProjectsFor(
        db,
        { actor, baseUrl, now: clock() },
        { archived: query.archived === 'true' },
      ),
    }),

    createProject: ({ body }, { actor }) => transact(actor, (tx) => createProject(tx, body)),
    validateProjectId: ({ body }) => validateId(db, body.id),
    updateProject: ({ params, body }, { actor }) =>
      transact(actor, (tx) => changeProject(tx, params.projectId, body)),
    updateProjectSettings: ({ params, body }, { actor }) =>
      transact(actor, (tx) => changeProject(tx, params.projectId, body)),
    deleteProject: ({ params }, { actor }) =>
      transact(actor, (tx) => removeProject(tx, params.projectId, runHook)),
    archiveProject: ({ params }, { actor }) =>
      transact(actor, (tx) => archiveProject(tx, params.projectId)),
    reviveProject: ({ params }, { actor }) =>
      transact(actor, (tx) => reviveProject(tx, params.projectId)),
  }),
});
