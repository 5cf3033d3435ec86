import { defineUseCase } from '../../../../platform/module.ts';
import { preferenceContract } from './contract.ts';
import { markSplashSeen, setFeedback } from './service.ts';

export const preferenceUseCase = defineUseCase({
  contract: preferenceContract,
  routes: ({ transact }) => ({
    giveFeedback: ({ body }, { actor }) =>
      transact(actor, (tx) => setFeedback(tx, body.feedbackId, body.neverShow)),
    changeFeedback: ({ params, body }, { actor }) =>
      transact(actor, (tx) => setFeedback(tx, params.id, body.neverShow)),
    seeSplash: ({ params }, { actor }) => transact(actor, (tx) => markSplashSeen(tx, params.id)),
  }),
});
