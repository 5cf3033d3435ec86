import type { Actor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { sendPrepared } from '../../../platform/http/prepared-response.ts';
import { defineUseCase } from '../../../platform/module.ts';
import {
  createDecisionRenderer,
  crossOrigin,
  evaluationFor,
  requestIn,
  unlessEmpty,
} from '../frontend-api/index.ts';
import type { SdkServices } from '../services.ts';
import { markStale } from '../snapshot/index.ts';
import { contract } from './contract.ts';
import { createCount } from './count.ts';
import { withFailure } from './failure.ts';
import { flagText } from './flag.ts';

/** Frontend tokens are public. */
const isPublic = ({ tokenScope }: Actor): boolean => tokenScope?.audience === 'frontend';

type Properties = Readonly<Record<string, unknown>>;

/** Rollouts stick to the user. OpenFeature calls it the targeting key. */
const requestWith = (context: Properties = {}) =>
  requestIn({ ...context, userId: unlessEmpty(context.userId) ?? context.targetingKey });

export const ofrepUseCase = defineUseCase({
  contract,
  inside: (app, services: SdkServices, register) =>
    crossOrigin(app, services, '/ofrep', (part) => {
      part.addHook('onSend', (request, reply, payload, done) =>
        done(null, withFailure(request, reply, payload)),
      );
      register(part);
    }),
  routes: (services: SdkServices) => {
    const { definitions } = services;
    const count = createCount(services);
    const decisions = createDecisionRenderer({
      listName: 'flags',
      decide: (evaluator, context) => evaluator.decideAll(context),
      render: flagText,
    });

    return {
      evaluateFlag: async ({ params, body }, { actor, reply }) => {
        const evaluationRequest = requestWith(body.context);
        const { evaluator, context, scope } = await evaluationFor(
          actor,
          services,
          evaluationRequest,
        );
        const outcome = evaluator.decide(params.key, context);
        if (outcome === undefined) throw notFound('feature', params.key);
        count(outcome.evaluation, { scope, appName: context.appName, isPublic: isPublic(actor) });
        return markStale(reply, definitions)
          .header('content-type', 'application/json; charset=utf-8')
          .header('cache-control', 'private, no-cache')
          .send(decisions.one(outcome));
      },

      evaluateFlags: async ({ body }, { actor, request, reply }) => {
        const evaluationRequest = requestWith(body.context);
        const { evaluator, context } = await evaluationFor(actor, services, evaluationRequest);
        const response = await decisions.all(evaluator, context);
        return sendPrepared(request, markStale(reply, definitions), response);
      },
    };
  },
});
