import { andThen } from '../../platform/and-then.ts';
import type { Actor, Reach } from '../../platform/db/database.ts';
import type { Services } from '../../platform/module.ts';
import {
  createEvaluators,
  definitionsOf,
  type EvaluationScope,
  scopeOf,
} from '../definitions/index.ts';
import type { Context, Evaluator } from '../evaluation/index.ts';
import type { Asked } from './context.ts';

const shared = new WeakMap<Services, ReturnType<typeof createEvaluators>>();

/** One for all modules of a server: each scope is compiled once. */
function evaluatorsOf(services: Services): ReturnType<typeof createEvaluators> {
  const found = shared.get(services) ?? createEvaluators(services.clock);
  shared.set(services, found);
  return found;
}

/** What a token reaches, and where. */
export const reachOf = ({ reach }: Actor, services: Services, environment?: string) =>
  andThen(definitionsOf(services).current(), (snapshot) => ({
    snapshot,
    scope: scopeOf(reach as Reach, snapshot, environment),
  }));

interface Evaluation {
  readonly evaluator: Evaluator;
  readonly context: Context;
  readonly scope: EvaluationScope;
}

/** What decides for whoever asks with this token, and the context to decide with. */
export const evaluationFor = (
  actor: Actor,
  services: Services,
  asked: Asked,
): Evaluation | Promise<Evaluation> =>
  andThen(reachOf(actor, services, asked.environment), ({ snapshot, scope }) => {
    // With a token for servers it is the server that asks, not whoever it asks for.
    const ownAddress = actor.reach?.audience === 'client' ? undefined : actor.ip;
    const remoteAddress = asked.context.remoteAddress || ownAddress;
    return {
      scope,
      evaluator: evaluatorsOf(services)(snapshot, scope),
      context: { ...asked.context, remoteAddress, environment: scope.environment },
    };
  });
