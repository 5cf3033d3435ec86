import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { environmentContract } from './contract.ts';
import { getDefaultStrategy, listEnvironmentsOf } from './read.ts';
import { addEnvironment, removeEnvironment, setDefaultStrategy } from './service.ts';

/** The version of the response format that clients of the reference expect. */
const version = 1;

export const environmentUseCase = defineUseCase({
  contract: environmentContract,
  checks,
  routes: ({ db, readAt, transact, runHook }) => ({
    listProjectEnvironments: async ({ params, query }, { actor }) => {
      const { db: at, now } = await readAt(db, actor, query.asOf);
      return { version, environments: await listEnvironmentsOf(at, params.projectId, now) };
    },

    addProjectEnvironment: ({ params, body }, { actor }) =>
      transact(actor, (tx) => addEnvironment(tx, params.projectId, body)),
    removeProjectEnvironment: ({ params: { projectId, environment } }, { actor }) =>
      transact(actor, (tx) => removeEnvironment(tx, { project: projectId, environment }, runHook)),

    getDefaultStrategy: async ({ params: { projectId, environment }, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return getDefaultStrategy(at.db, { project: projectId, environment });
    },

    setDefaultStrategy: ({ params, body }, { actor }) =>
      transact(actor, (tx) =>
        setDefaultStrategy(
          tx,
          { project: params.projectId, environment: params.environment },
          body,
        ),
      ),
  }),
});
