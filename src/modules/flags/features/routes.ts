import type { Actor } from '../../../platform/actor.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { findLastEventId } from '../../events/index.ts';
import { changeFeature, patchFeature } from './change/service.ts';
import { checks } from './checks.ts';
import { featureContract } from './contract.ts';
import { validateName } from './name.ts';
import { presentFeature } from './present.ts';
import { getFeature, listFeatures, listFlagCreators } from './read/service.ts';
import { sendFeatures } from './send-features.ts';

export const featureUseCase = defineUseCase({
  contract: featureContract,
  checks,
  routes: (services) => {
    const { db, transact, settings } = services;
    const viewerOf = (actor: Actor) => ({ actor, baseUrl: settings.baseUrl });

    return {
      listFeatures: async ({ params }, { actor, reply }) =>
        sendFeatures(reply, listFeatures(db, viewerOf(actor), params.projectId)),

      getFeature: async ({ params, query }, { actor }) => {
        const { projectId, featureName } = params;
        const states = query.archived === 'true' ? 'any' : 'active';
        // First, so that the feature is never older than the id.
        const lastEventId =
          query.lastEventId === 'true' ? await findLastEventId(db, featureName) : undefined;
        const feature = await getFeature(db, viewerOf(actor), projectId, featureName, states);
        return { ...presentFeature(feature), ...(lastEventId !== undefined && { lastEventId }) };
      },

      updateFeature: ({ params, body }, { actor }) =>
        transact(actor, async (tx) => {
          const { projectId: project, featureName: feature } = params;
          await changeFeature(tx, { project, feature }, body);
          return presentFeature(await getFeature(tx.db, viewerOf(actor), project, feature, 'any'));
        }),

      patchFeature: ({ params, body }, { actor }) =>
        transact(actor, async (tx) => {
          const { projectId: project, featureName: feature } = params;
          await patchFeature(tx, { project, feature }, body);
          return presentFeature(await getFeature(tx.db, viewerOf(actor), project, feature));
        }),

      validateFeature: ({ body }, { actor }) => validateName(db, actor, body),
      listFlagCreators: ({ params }) => listFlagCreators(db, params.projectId),
    };
  },
});
