import type { Tx } from '../../../../platform/db/database.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { type CloneDestination, cloneFeature, cloneFeatures, cloningFeatures } from './service.ts';

export const cloneUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ transact, rehearse, runHook, settings: { baseUrl } }) => {
    // A dry run is the real run, rolled back, so that both give the same answer. It needs no approval.
    const run = (dryRun: 'true' | 'false') => (dryRun === 'true' ? rehearse : transact);
    const optionsFor = (project: string, dryRun: 'true' | 'false', replaceGroupId: boolean) => ({
      project,
      replaceGroupId,
      baseUrl,
      ...(dryRun === 'false' && {
        beforeCreating: (tx: Tx, receiving: CloneDestination) =>
          runHook(cloningFeatures, tx, receiving),
      }),
    });

    return {
      cloneFeature: ({ params, query, body }, { actor }) => {
        const { name, replaceGroupId } = body;
        const options = optionsFor(params.projectId, query.dryRun, replaceGroupId);
        return run(query.dryRun)(actor, (tx) =>
          cloneFeature(tx, options, { feature: params.featureName, name }),
        );
      },

      cloneFeatures: async ({ params, query, body }, { actor }) => {
        const options = optionsFor(params.projectId, query.dryRun, body.replaceGroupId);
        return {
          features: await run(query.dryRun)(actor, (tx) =>
            cloneFeatures(tx, options, body.features),
          ),
        };
      },
    };
  },
});
