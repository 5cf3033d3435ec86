import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { sendTagged } from '../../../platform/http/entity-tag.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import type { Outcome } from '../evaluation/index.ts';
import {
  createDecisionRenderer,
  crossOrigin,
  evaluationFor,
  requestIn,
  unlessEmpty,
} from '../frontend-api/index.ts';
import { markStale } from '../snapshot/index.ts';
import { contract } from './contract.ts';
import { createCount } from './count.ts';
import { withFailure } from './failure.ts';
import { flagText } from './flag.ts';

/** Frontend tokens are public. */
const isPublic = ({ reach }: Actor): boolean => reach?.audience === 'frontend';

type Properties = Readonly<Record<string, unknown>>;

/** Rollouts stick to the user. OpenFeature calls it the targeting key. */
const requestWith = (context: Properties = {}) =>
  requestIn({ ...context, userId: unlessEmpty(context.userId) ?? context.targetingKey });

export function ofrepRoutes(app: FastifyInstance, services: Services): void {
  const { definitions } = services;
  const count = createCount(services);
  const texts = createDecisionRenderer('flags', flagText);
  crossOrigin(app, services, '/ofrep', (inside) => {
    inside.addHook('onSend', (request, reply, payload, done) =>
      done(null, withFailure(request, reply, payload)),
    );

    route(inside, contract.evaluateFlag, async ({ params, body }, { actor, reply }) => {
      const evaluationRequest = requestWith(body.context);
      const { evaluator, context, scope } = await evaluationFor(actor, services, evaluationRequest);
      const number = evaluator.decide(params.key, context);
      if (number === undefined) throw notFound('feature', params.key);
      const { evaluation } = evaluator.outcomes[number] as Outcome;
      count(evaluation, { scope, appName: context.appName, isPublic: isPublic(actor) });
      return markStale(reply, definitions)
        .header('content-type', 'application/json; charset=utf-8')
        .header('cache-control', 'private, no-cache')
        .send(texts.one(evaluator, number));
    });

    route(inside, contract.evaluateFlags, async ({ body }, { actor, request, reply }) => {
      const evaluationRequest = requestWith(body.context);
      const { evaluator, context } = await evaluationFor(actor, services, evaluationRequest);
      const list = await texts.all(evaluator, context);
      return sendTagged(request, markStale(reply, definitions), list);
    });
  });
}
