import { defineUseCase } from '../../../../platform/module.ts';
import { presentFeature } from '../present.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { createFeature } from './service.ts';

export const createFeatureUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ transact, settings }) => ({
    createFeature: ({ params: { projectId: project }, body }, { actor }) => {
      // Named one by one, because a body may have other properties, which the log must not record.
      const { name, type, description, impressionData, stale, createdAt, tags } = body;
      const feature = {
        ...{ name, type, description: description ?? null, impressionData, stale },
        ...(createdAt !== undefined && { createdAt }),
        ...(tags && { tags }),
      };
      const input = { project, feature, environments: body.environments ?? [] };
      return transact(actor, async (tx) =>
        presentFeature(await createFeature(tx, settings.baseUrl, input)),
      );
    },
  }),
});
