import type { Actor } from '../../../../platform/actor.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { requestAddressOf } from '../access.ts';
import { checks } from './checks.ts';
import { readContract } from './contract.ts';
import {
  countActionable,
  countRequests,
  readPendingOf,
  readPendingOwn,
  readRequest,
  readRequests,
  readScheduled,
  searchRequestsFor,
} from './service.ts';

export const readUseCase = defineUseCase({
  contract: readContract,
  checks,
  routes: ({ db, settings: { baseUrl } }) => {
    const viewer = (actor: Actor) => ({ actor, baseUrl });
    return {
      listChangeRequests: ({ params }, { actor }) =>
        readRequests(db, viewer(actor), params.projectId),
      getChangeRequest: ({ params }, { actor }) =>
        readRequest(db, viewer(actor), requestAddressOf(params)),
      listPendingForMe: ({ params }, { actor }) =>
        readPendingOwn(db, viewer(actor), params.projectId),
      listPendingForFeature: ({ params: { projectId: project, featureName } }, { actor }) =>
        readPendingOf(db, viewer(actor), { project, feature: featureName }),
      listScheduled: ({ params, query }) => readScheduled(db, params.projectId, query),
      countChangeRequests: ({ params }) => countRequests(db, params.projectId),
      countActionable: ({ params }, { actor }) => countActionable(db, actor, params.projectId),
      searchChangeRequests: ({ parsed }, { actor }) => searchRequestsFor(db, viewer(actor), parsed),
    };
  },
});
