import { defineUseCase } from '../../../../platform/module.ts';
import { changeRequestContract } from './contract.ts';
import { listChangeRequestConfig, setChangeRequestConfig } from './service.ts';

export const changeRequestUseCase = defineUseCase({
  contract: changeRequestContract,
  routes: ({ db, transact, runHook }) => ({
    listChangeRequestConfig: ({ params }) => listChangeRequestConfig(db, params.projectId),

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
