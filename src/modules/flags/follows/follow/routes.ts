import { defineUseCase } from '../../../../platform/module.ts';
import { followContract } from './contract.ts';
import {
  followFeature,
  followProject,
  listFollows,
  unfollowFeature,
  unfollowProject,
} from './service.ts';

const addressOf = (params: { readonly projectId: string; readonly featureName: string }) => ({
  project: params.projectId,
  feature: params.featureName,
});

export const followUseCase = defineUseCase({
  contract: followContract,
  routes: ({ db, transact, mailer }) => ({
    listFollows: (_input, { actor }) => listFollows(db, actor, mailer),
    followProject: ({ params }, { actor }) =>
      transact(actor, (tx) => followProject(tx, params.projectId)),
    unfollowProject: ({ params }, { actor }) =>
      transact(actor, (tx) => unfollowProject(tx, params.projectId)),
    followFeature: ({ params }, { actor }) =>
      transact(actor, (tx) => followFeature(tx, addressOf(params))),
    unfollowFeature: ({ params }, { actor }) =>
      transact(actor, (tx) => unfollowFeature(tx, addressOf(params))),
  }),
});
