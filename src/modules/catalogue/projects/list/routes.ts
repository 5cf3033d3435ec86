import { defineUseCase } from '../../../../platform/module.ts';
import { listContract } from './contract.ts';
import { listProjectsFor } from './service.ts';

/** The version of the response format that clients of the reference expect. */
const version = 1;

export const listUseCase = defineUseCase({
  contract: listContract,
  routes: ({ db, clock, settings: { baseUrl } }) => ({
    listProjects: async ({ query }, { actor }) => ({
      version,
      projects: await listProjectsFor(
        db,
        { actor, baseUrl, now: clock() },
        { archived: query.archived === 'true' },
      ),
    }),
  }),
});
