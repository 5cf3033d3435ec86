import type { Actor, TokenScope } from '../../../platform/actor.ts';
import { createCache } from '../../../platform/cache.ts';
import type { Services } from '../../../platform/module.ts';
import type { Context, Evaluator } from '../evaluation/index.ts';
import { createEvaluators, type EvaluationScope, scopeOf } from '../snapshot/index.ts';
import type { EvaluationRequest } from './context.ts';

/** The log names a feature at most once in this time, because a client may ask a thousand times a second. */
const warningMs = 60_000;
const maxNamed = 1_000;

function createWarning({ log }: Pick<Services, 'log'>): (feature: string) => void {
  const named = createCache<string, number>({ maxEntries: maxNamed });
  return (feature) => {
    const now = performance.now();
    if (now - (named.get(feature) ?? Number.NEGATIVE_INFINITY) < warningMs) return;
    named.set(feature, now);
    log.warn(
      { feature },
      'matching texts for one request took too many steps: this constraint of the feature and later ones do not match',
    );
  };
}

declare module '../../../platform/module.ts' {
  interface Services {
    /** Shared by all modules of a server, so that each scope is compiled once. */
    readonly findEvaluator: ReturnType<typeof createEvaluators>;
  }
}

export const createFindEvaluator = ({ clock, log }: Pick<Services, 'clock' | 'log'>) =>
  createEvaluators(clock, createWarning({ log }));

/** Returns the scope of a token in the current snapshot. */
export async function snapshotFor(
  { tokenScope }: Actor,
  { definitions }: Pick<Services, 'definitions'>,
  environment?: string,
) {
  const snapshot = await definitions.current();
  return { snapshot, scope: scopeOf(tokenScope as TokenScope, snapshot, environment) };
}

interface Evaluation {
  readonly evaluator: Evaluator;
  readonly context: Context;
  readonly scope: EvaluationScope;
}

/** Returns the evaluator for a token, and the context to evaluate. */
export async function evaluationFor(
  actor: Actor,
  services: Pick<Services, 'definitions' | 'findEvaluator'>,
  request: EvaluationRequest,
): Promise<Evaluation> {
  const { snapshot, scope } = await snapshotFor(actor, services, request.environment);
  // A server with a client token asks on behalf of a user, so its own address is not the user's.
  const ownAddress = actor.tokenScope?.audience === 'client' ? undefined : actor.ip;
  const remoteAddress = request.context.remoteAddress || ownAddress;
  const context = { ...request.context, remoteAddress, environment: scope.environment };
  return { scope, evaluator: await services.findEvaluator(snapshot, scope), context };
}
