import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendPrepared } from '../../../platform/http/prepared-response.ts';
import { type RequestContext, route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import type { Outcome } from '../evaluation/index.ts';
import { markStale } from '../snapshot/index.ts';
import { endpoints } from './checks.ts';
import { type EvaluationRequest, requestIn } from './context.ts';
import { crossOrigin } from './cross-origin.ts';
import { evaluationFor, reachOf } from './evaluation.ts';
import { createDecisionRenderer } from './rendered-decisions.ts';

/** Returns the JSON of a feature. SDKs read `feature_enabled`, generated clients `featureEnabled`. */
function toggleText({ evaluation }: Outcome): string {
  const { feature_enabled: featureEnabled, ...variant } = evaluation.variant;
  return JSON.stringify({
    ...evaluation,
    variant: { ...variant, featureEnabled, feature_enabled: featureEnabled },
  });
}

export function frontendApiRoutes(app: FastifyInstance, services: Services): void {
  const { definitions, usage } = services;
  const decisions = createDecisionRenderer({
    listName: 'toggles',
    decide: (evaluator, context) => evaluator.decideEnabled(context),
    render: toggleText,
  });
  async function answer(
    { actor, request, reply }: RequestContext,
    evaluationRequest: EvaluationRequest,
  ): Promise<FastifyReply> {
    const { evaluator, context } = await evaluationFor(actor, services, evaluationRequest);
    const response = await decisions.all(evaluator, context);
    return sendPrepared(request, markStale(reply, definitions), response);
  }

  crossOrigin(app, services, '/api/frontend', (inside) => {
    route(inside, endpoints.getFrontendFeatures, ({ query }, at) => answer(at, requestIn(query)));

    route(inside, endpoints.evaluateFrontendFeatures, ({ body }, at) =>
      answer(at, requestIn(body.context ?? {})),
    );

    route(inside, endpoints.registerFrontendMetrics, async ({ body }, { actor }) => {
      const { scope } = await reachOf(actor, services, body.environment ?? undefined);
      usage.addMetrics(scope, body, { isPublic: true });
    });

    route(inside, endpoints.registerFrontendClient, async ({ body }, { actor }) => {
      const { scope } = await reachOf(actor, services, body.environment ?? undefined);
      usage.register(scope, body, { ip: null, isPublic: true });
    });
  });
}
