import type { FastifyInstance } from 'fastify';
import {
  allowOrigins,
  createToggleDecisions,
  evaluationFor,
  requestIn,
} from '../../modules/sdk/frontend-api/index.ts';
import type { SdkServices } from '../../modules/sdk/services.ts';
import { markStale } from '../../modules/sdk/snapshot/index.ts';
import { notFound } from '../../platform/errors.ts';
import { sendPrepared } from '../../platform/http/prepared-response.ts';
import type { RequestContext } from '../../platform/http/route.ts';
import { defineUseCase } from '../../platform/module.ts';
import { allFrontendContract, oneFrontendContract } from './more-frontend-contract.ts';

type Given = Parameters<typeof requestIn>[0];

/** Preflight requests of all paths below are those of the frontend API. */
function inside(
  app: FastifyInstance,
  services: SdkServices,
  register: (part: FastifyInstance) => void,
): void {
  app.register(async (part) => {
    allowOrigins(part, services);
    register(part);
  });
}

/** What Unleash Edge offers to frontend SDKs and a server does not: all features, including disabled ones. */
export const allFrontendUseCase = defineUseCase({
  contract: allFrontendContract,
  inside,
  routes: (services: SdkServices) => {
    const decisions = createToggleDecisions((evaluator, context) => evaluator.decideAll(context));
    async function respond({ actor, request, reply }: RequestContext, given: Given) {
      const { evaluator, context } = await evaluationFor(actor, services, requestIn(given));
      const response = await decisions.all(evaluator, context);
      return sendPrepared(request, markStale(reply, services.definitions), response);
    }
    return {
      getAllFrontendFeatures: ({ query }, at) => respond(at, query),
      evaluateAllFrontendFeatures: ({ body }, at) => respond(at, body.context ?? {}),
    };
  },
});

/** The same for one feature. */
export const oneFrontendUseCase = defineUseCase({
  contract: oneFrontendContract,
  inside,
  routes: (services: SdkServices) => {
    const decisions = createToggleDecisions((evaluator, context) => evaluator.decideAll(context));
    async function respond({ actor, reply }: RequestContext, name: string, given: Given) {
      const { evaluator, context } = await evaluationFor(actor, services, requestIn(given));
      const outcome = evaluator.decide(name, context);
      if (outcome === undefined) throw notFound('feature', name);
      return markStale(reply, services.definitions)
        .header('content-type', 'application/json; charset=utf-8')
        .header('cache-control', 'private, no-cache')
        .send(decisions.one(outcome));
    }
    return {
      getFrontendFeature: ({ query, params }, at) => respond(at, params.featureName, query),
      evaluateFrontendFeature: ({ body, params }, at) =>
        respond(at, params.featureName, body.context ?? {}),
    };
  },
});
