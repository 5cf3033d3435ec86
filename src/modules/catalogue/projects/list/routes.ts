import { defineUseCase } from '../../../../platform/module.ts';
import { listContract } from './contract.ts';
import { listProjectsFor } from './service.ts';

/** The version of the response format that clients of the reference expect. */
const version = 1;

export const listUseCase = defineUseCase({
  contract: listContract,
  routes: ({ db, readAt, settings: { baseUrl } }) => ({
    listProjects: async ({ query }, { actor }) => {
      const { db: at, now } = await readAt(db, actor, query.asOf);
      const archived = query.archived === 'true';
      return {
        version,
        projects: await listProjectsFor(at, { actor, baseUrl, now }, { archived }),
      };
    },
  }),
});
