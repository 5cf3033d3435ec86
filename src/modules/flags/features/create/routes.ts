import { defineUseCase } from '../../../../platform/module.ts';
import { validateName } from '../name.ts';
import { presentFeature } from '../present.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { createFeature, creationOf } from './service.ts';

export const createFeatureUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ db, transact, settings }) => ({
    createFeature: ({ params: { projectId: project }, body }, { actor }) =>
      transact(actor, async (tx) =>
        presentFeature(await createFeature(tx, settings.baseUrl, creationOf(project, body))),
      ),

    validateFeature: ({ body }, { actor }) => validateName(db, actor, body),
  }),
});
