import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { featureTagEndpoints } from './checks.ts';
import {
  addTag,
  changeTags,
  changeTagsInBulk,
  listTagsOfFeature,
  removeFeatureTag,
} from './service.ts';

/** The version of the response format that clients of the reference expect. */
const version = 1;

export function featureTagRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, featureTagEndpoints.listFeatureTags, async ({ params }) => ({
    version,
    tags: await listTagsOfFeature(db, params.featureName),
  }));

  route(app, featureTagEndpoints.addFeatureTag, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addTag(tx, params.featureName, body)),
  );

  route(app, featureTagEndpoints.changeFeatureTags, async ({ params, body }, { actor }) => ({
    version,
    tags: await transact(actor, (tx) => changeTags(tx, params.featureName, body)),
  }));

  route(
    app,
    featureTagEndpoints.removeFeatureTag,
    ({ params: { featureName, ...tag } }, { actor }) =>
      transact(actor, (tx) => removeFeatureTag(tx, featureName, tag)),
  );

  route(
    app,
    featureTagEndpoints.changeTagsInBulk,
    ({ params, body: { features, tags } }, { actor }) =>
      transact(actor, (tx) => changeTagsInBulk(tx, params.projectId, features, tags)),
  );
}
