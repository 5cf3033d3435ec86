import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { reviewContract } from './contract.ts';
import { getReview, removeReview, removeReviews, setReview, setReviews } from './service.ts';

const addressOf = (params: { readonly projectId: string; readonly featureName: string }) => ({
  project: params.projectId,
  feature: params.featureName,
});

export const reviewUseCase = defineUseCase({
  contract: reviewContract,
  checks,
  routes: ({ db, transact }) => ({
    getReview: ({ params }) => getReview(db, addressOf(params)),
    putReview: ({ params, body }, { actor }) =>
      transact(actor, (tx) => setReview(tx, addressOf(params), body)),

    putReviews: async ({ params, body }, { actor }) => {
      const { features, ...review } = body;
      return {
        features: await transact(actor, (tx) => setReviews(tx, params.projectId, features, review)),
      };
    },

    deleteReviews: async ({ params, body }, { actor }) => ({
      features: await transact(actor, (tx) => removeReviews(tx, params.projectId, body.features)),
    }),
    deleteReview: ({ params }, { actor }) =>
      transact(actor, (tx) => removeReview(tx, addressOf(params))),
  }),
});
