import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { featureTagContract } from './contract.ts';
import {
  addTag,
  changeTags,
  changeTagsInBulk,
  listTagsOfFeature,
  removeFeatureTag,
} from './service.ts';

/** The version of the response format that clients of the reference expect. */
const version = 1;

export const featureTagUseCase = defineUseCase({
  contract: featureTagContract,
  checks,
  routes: ({ db, transact }) => ({
    listFeatureTags: async ({ params }) => ({
      version,
      tags: await listTagsOfFeature(db, params.featureName),
    }),

    addFeatureTag: ({ params, body }, { actor }) =>
      transact(actor, (tx) => addTag(tx, params.featureName, body)),

    changeFeatureTags: async ({ params, body }, { actor }) => ({
      version,
      tags: await transact(actor, (tx) => changeTags(tx, params.featureName, body)),
    }),

    removeFeatureTag: ({ params: { featureName, ...tag } }, { actor }) =>
      transact(actor, (tx) => removeFeatureTag(tx, featureName, tag)),
    changeTagsInBulk: ({ params, body: { features, tags } }, { actor }) =>
      transact(actor, (tx) => changeTagsInBulk(tx, params.projectId, features, tags)),
  }),
});
