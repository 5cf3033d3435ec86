import { defineUseCase } from '../../../../platform/module.ts';
import { validateName } from '../name.ts';
import { presentFeature } from '../present.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { createFeature } from './service.ts';

export const createFeatureUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ db, transact, settings }) => ({
    createFeature: ({ params: { projectId: project }, body }, { actor }) => {
      // Named one by one, because a body may have other properties, which the log must not record.
      const { name, type, description, impressionData, stale, createdAt, tags } = body;
      const { owner, expiresAt } = body;
      const feature = {
        ...{ name, type, description: description ?? null, impressionData, stale },
        ...(createdAt !== undefined && { createdAt }),
        ...(tags && { tags }),
        ...(owner !== undefined && { owner: owner && { type: owner.type, id: owner.id } }),
        ...(expiresAt && { expiresAt }),
      };
      const input = { project, feature, environments: body.environments ?? [] };
      return transact(actor, async (tx) =>
        presentFeature(await createFeature(tx, settings.baseUrl, input)),
      );
    },

    validateFeature: ({ body }, { actor }) => validateName(db, actor, body),
  }),
});
