import { defineUseCase } from '../../../../platform/module.ts';
import { contract } from './contract.ts';
import { changeProjectOf } from './service.ts';

export const moveUseCase = defineUseCase({
  contract,
  routes: ({ transact }) => ({
    changeProject: ({ params, body }, { actor }) =>
      transact(actor, (tx) =>
        changeProjectOf(
          tx,
          { project: params.projectId, feature: params.featureName },
          body.newProjectId,
        ),
      ),
  }),
});
