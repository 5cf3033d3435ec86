import { defineUseCase } from '../../../../platform/module.ts';
import { requestAddressOf } from '../access.ts';
import { reviewContract } from './contract.ts';
import {
  comment,
  listAvailableReviewers,
  listReviewers,
  reviewEmergency,
  setReviewers,
  setTitle,
} from './service.ts';

export const reviewUseCase = defineUseCase({
  contract: reviewContract,
  routes: ({ db, transact, settings: { baseUrl } }) => ({
    updateTitle: ({ params, body }, { actor }) =>
      transact(actor, (tx) => setTitle(tx, requestAddressOf(params), body.title)),
    addComment: ({ params, body }, { actor }) =>
      transact(actor, (tx) => comment(tx, requestAddressOf(params), body.text)),
    reviewEmergency: ({ params, body }, { actor }) =>
      transact(actor, (tx) => reviewEmergency(tx, requestAddressOf(params), body.comment)),
    setReviewers: ({ params, body }, { actor }) =>
      transact(actor, (tx) => setReviewers(tx, requestAddressOf(params), body.reviewers)),
    listReviewers: ({ params }, { actor }) =>
      listReviewers(db, { actor, baseUrl }, requestAddressOf(params)),
    listAvailableReviewers: ({ params: { projectId: project, environment } }) =>
      listAvailableReviewers(db, baseUrl, { project, environment }),
  }),
});
