import type { Tx } from '../../../../platform/db/database.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { presentFeature } from '../present.ts';
import { getFeature } from '../read/service.ts';
import { checks } from './checks.ts';
import { changeContract } from './contract.ts';
import { changeFeature, markStale, patchFeature } from './service.ts';

export const changeUseCase = defineUseCase({
  contract: changeContract,
  checks,
  routes: ({ transact, settings: { baseUrl } }) => {
    const viewerOf = ({ actor, now }: Tx) => ({ actor, baseUrl, now });

    return {
      updateFeature: ({ params, body }, { actor }) =>
        transact(actor, async (tx) => {
          const { projectId: project, featureName: feature } = params;
          await changeFeature(tx, { project, feature }, body);
          return presentFeature(await getFeature(tx.db, viewerOf(tx), project, feature, 'any'));
        }),

      patchFeature: ({ params, body }, { actor }) =>
        transact(actor, async (tx) => {
          const { projectId: project, featureName: feature } = params;
          await patchFeature(tx, { project, feature }, body);
          return presentFeature(await getFeature(tx.db, viewerOf(tx), project, feature));
        }),

      markStale: ({ params, body }, { actor }) =>
        transact(actor, (tx) => markStale(tx, params.projectId, body)),
    };
  },
});
