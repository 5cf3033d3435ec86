import { defineUseCase } from '../../../../platform/module.ts';
import { changeRequestContract } from './contract.ts';
import { listChangeRequestConfig, setChangeRequestConfig } from './service.ts';

export const changeRequestUseCase = defineUseCase({
  contract: changeRequestContract,
  routes: ({ db, readAt, transact, runHook }) => ({
    listChangeRequestConfig: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return listChangeRequestConfig(at.db, params.projectId);
    },

    setChangeRequestConfig: ({ params, body }, { actor }) =>
      transact(actor, (tx) =>
        setChangeRequestConfig(
          tx,
          { project: params.projectId, environment: params.environment },
          body,
          runHook,
        ),
      ),
  }),
});
