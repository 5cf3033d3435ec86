import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../../platform/actor.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { findLastEventId } from '../../events/index.ts';
import { changeFeature, patchFeature } from './change/service.ts';
import { featureEndpoints as contract } from './checks.ts';
import { validateName } from './name.ts';
import { presentFeature } from './present.ts';
import { getFeature, listFeatures, listFlagCreators } from './read/service.ts';
import { sendFeatures } from './send-features.ts';

export function featureRoutes(app: FastifyInstance, services: Services): void {
  const { db, transact, settings } = services;
  const viewerOf = (actor: Actor) => ({ actor, baseUrl: settings.baseUrl });

  route(app, contract.listFeatures, async ({ params }, { actor, reply }) =>
    sendFeatures(reply, listFeatures(db, viewerOf(actor), params.projectId)),
  );

  route(app, contract.getFeature, async ({ params, query }, { actor }) => {
    const { projectId, featureName } = params;
    const states = query.archived === 'true' ? 'any' : 'active';
    // First, so that the feature is never older than the id.
    const lastEventId =
      query.lastEventId === 'true' ? await findLastEventId(db, featureName) : undefined;
    const feature = await getFeature(db, viewerOf(actor), projectId, featureName, states);
    return { ...presentFeature(feature), ...(lastEventId !== undefined && { lastEventId }) };
  });

  route(app, contract.updateFeature, ({ params, body }, { actor }) =>
    transact(actor, async (tx) => {
      const { projectId: project, featureName: feature } = params;
      await changeFeature(tx, { project, feature }, body);
      return presentFeature(await getFeature(tx.db, viewerOf(actor), project, feature, 'any'));
    }),
  );

  route(app, contract.patchFeature, ({ params, body }, { actor }) =>
    transact(actor, async (tx) => {
      const { projectId: project, featureName: feature } = params;
      await patchFeature(tx, { project, feature }, body);
      return presentFeature(await getFeature(tx.db, viewerOf(actor), project, feature));
    }),
  );

  route(app, contract.validateFeature, ({ body }, { actor }) => validateName(db, actor, body));

  route(app, contract.listFlagCreators, ({ params }) => listFlagCreators(db, params.projectId));
}
