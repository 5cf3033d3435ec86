import type { Actor } from '../../../../platform/actor.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { findLastEventId } from '../../../events/index.ts';
import { presentFeature } from '../present.ts';
import { sendFeatures } from '../send-features.ts';
import { getFeatureAsOf } from './as-of.ts';
import { readContract } from './contract.ts';
import { getFeature, listFeatures, listFlagCreators } from './service.ts';

export const readUseCase = defineUseCase({
  contract: readContract,
  routes: ({ db, readAt, clock, lookUp, settings: { baseUrl } }) => {
    const viewerOf = (actor: Actor) => ({ actor, baseUrl, now: clock() });

    return {
      listFeatures: async ({ params, query }, { actor, reply }) => {
        const at = await readAt(db, actor, query.asOf);
        return sendFeatures(reply, listFeatures(at.db, viewerOf(actor), params.projectId));
      },

      getFeature: async ({ params, query }, { actor }) => {
        const { projectId, featureName } = params;
        if (query.asOf !== undefined) {
          const address = { project: projectId, name: featureName, asOf: query.asOf };
          return presentFeature(await getFeatureAsOf({ db, lookUp }, viewerOf(actor), address));
        }
        const states = query.archived === 'true' ? 'any' : 'active';
        // First, so that the feature is never older than the id.
        const lastEventId =
          query.lastEventId === 'true' ? await findLastEventId(db, featureName) : undefined;
        const feature = await getFeature(db, viewerOf(actor), projectId, featureName, states);
        return { ...presentFeature(feature), ...(lastEventId !== undefined && { lastEventId }) };
      },

      listFlagCreators: ({ params }) => listFlagCreators(db, params.projectId),
    };
  },
});
