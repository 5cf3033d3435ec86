import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendTagged } from '../../../platform/http/entity-tag.ts';
import { type RequestContext, route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import type { Outcome } from '../evaluation/index.ts';
import { markStale } from '../snapshot/index.ts';
import { endpoints } from './checks.ts';
import { type EvaluationRequest, requestIn } from './context.ts';
import { crossOrigin } from './cross-origin.ts';
import { evaluationFor, reachOf } from './evaluation.ts';
import { createDecisionRenderer } from './rendered-decisions.ts';

/**
 * Returns the JSON of an enabled feature; others are not listed. SDKs read `feature_enabled`, generated clients
 * `featureEnabled`.
 */
function toggleText({ evaluation }: Outcome): string {
  if (!evaluation.enabled) return '';
  const { feature_enabled: featureEnabled, ...variant } = evaluation.variant;
  return JSON.stringify({
    ...evaluation,
    variant: { ...variant, featureEnabled, feature_enabled: featureEnabled },
  });
}

export function frontendApiRoutes(app: FastifyInstance, services: Services): void {
  const { definitions, usage } = services;
  const texts = createDecisionRenderer('toggles', toggleText);
  async function answer(
    { actor, request, reply }: RequestContext,
    evaluationRequest: EvaluationRequest,
  ): Promise<FastifyReply> {
    const { evaluator, context } = await evaluationFor(actor, services, evaluationRequest);
    const list = await texts.all(evaluator, context);
    return sendTagged(request, markStale(reply, definitions), list);
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
