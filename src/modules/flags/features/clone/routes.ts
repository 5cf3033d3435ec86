import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { cloneFeature, cloneFeatures } from './service.ts';

export const cloneUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ transact, rehearse, settings: { baseUrl } }) => {
    // A dry run is the real run, rolled back, so that both give the same answer.
    const run = (dryRun: 'true' | 'false') => (dryRun === 'true' ? rehearse : transact);

    return {
      cloneFeature: ({ params, query, body }, { actor }) => {
        const { name, replaceGroupId } = body;
        const options = { project: params.projectId, replaceGroupId, baseUrl };
        return run(query.dryRun)(actor, (tx) =>
          cloneFeature(tx, options, { feature: params.featureName, name }),
        );
      },

      cloneFeatures: async ({ params, query, body }, { actor }) => {
        const options = { project: params.projectId, replaceGroupId: body.replaceGroupId, baseUrl };
        return {
          features: await run(query.dryRun)(actor, (tx) =>
            cloneFeatures(tx, options, body.features),
          ),
        };
      },
    };
  },
});
