import type { FastifyReply } from 'fastify';
import { sendPrepared } from '../../../platform/http/prepared-response.ts';
import type { RequestContext } from '../../../platform/http/route.ts';
import { defineUseCase } from '../../../platform/module.ts';
import type { Outcome } from '../evaluation/index.ts';
import type { SdkServices } from '../services.ts';
import { markStale } from '../snapshot/index.ts';
import { checks } from './checks.ts';
import { type EvaluationRequest, requestIn } from './context.ts';
import { contract } from './contract.ts';
import { crossOrigin } from './cross-origin.ts';
import { evaluationFor, snapshotFor } from './evaluation.ts';
import { createDecisionRenderer } from './rendered-decisions.ts';

/** Returns the JSON of a feature. SDKs read `feature_enabled`, generated clients `featureEnabled`. */
function toggleText({ evaluation }: Outcome): string {
  const { feature_enabled: featureEnabled, ...variant } = evaluation.variant;
  return JSON.stringify({
    ...evaluation,
    variant: { ...variant, featureEnabled, feature_enabled: featureEnabled },
  });
}

/** Renders lists of features that are decided for a context. */
export const createToggleDecisions = (
  decide: Parameters<typeof createDecisionRenderer>[0]['decide'],
) => createDecisionRenderer({ listName: 'toggles', decide, render: toggleText });

export const frontendApiUseCase = defineUseCase({
  contract,
  checks,
  inside: (app, services: SdkServices, register) =>
    crossOrigin(app, services, '/api/frontend', register),
  routes: (services: SdkServices) => {
    const { definitions, usage } = services;
    const decisions = createToggleDecisions((evaluator, context) =>
      evaluator.decideEnabled(context),
    );
    async function respond(
      { actor, request, reply }: RequestContext,
      evaluationRequest: EvaluationRequest,
    ): Promise<FastifyReply> {
      const { evaluator, context } = await evaluationFor(actor, services, evaluationRequest);
      const response = await decisions.all(evaluator, context);
      return sendPrepared(request, markStale(reply, definitions), response);
    }

    return {
      getFrontendFeatures: ({ query }, at) => respond(at, requestIn(query)),
      evaluateFrontendFeatures: ({ body }, at) => respond(at, requestIn(body.context ?? {})),

      registerFrontendMetrics: async ({ body }, { actor }) => {
        const { scope } = await snapshotFor(actor, services, body.environment ?? undefined);
        usage.addMetrics(scope, body, { isPublic: true });
        return undefined;
      },

      registerFrontendClient: async ({ body }, { actor }) => {
        const { scope } = await snapshotFor(actor, services, body.environment ?? undefined);
        usage.register(scope, body, { ip: null, isPublic: true });
        return undefined;
      },
    };
  },
});
