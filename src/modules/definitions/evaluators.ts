import type { Clock } from '../../platform/clock.ts';
import { createCompiler, type Evaluator, type FeatureDefinition } from '../evaluation/index.ts';
import { type EvaluationScope, featuresIn, scopeKey } from './scope.ts';
import type { DefinedEnvironment, DefinedSegment, Snapshot } from './snapshot.ts';

interface Kept {
  /** The last one in which nothing else was found. */
  snapshot: Snapshot;
  environment: DefinedEnvironment;
  readonly features: readonly FeatureDefinition[];
  /** Those that the features have; undefined: there is none of that id. */
  readonly segments: ReadonlyMap<number, DefinedSegment | undefined>;
  readonly evaluator: Evaluator;
}

/** Of tokens for other sets of projects, as many are kept as have so many features together. */
const maxFeatures = 200_000;
/** What a scope takes without any, in features. */
const ownSize = 50;

const sizeOf = ({ features }: Kept): number => ownSize + features.length;

function segmentsOf(features: Kept['features'], { segments }: Snapshot): Kept['segments'] {
  const used = new Map<number, DefinedSegment | undefined>();
  for (const { strategies } of features) {
    for (const strategy of strategies ?? []) {
      for (const id of strategy.segments ?? []) used.set(id, segments.get(id));
    }
  }
  return used;
}

function sameSegments(used: Kept['segments'], { segments }: Snapshot): boolean {
  for (const [id, segment] of used) if (segments.get(id) !== segment) return false;
  return true;
}

const sameFeatures = (a: Kept['features'], b: Kept['features']): boolean =>
  a.length === b.length && a.every((feature, at) => feature === b[at]);

/**
 * Evaluators for scopes, each kept until a feature in it or a segment that it uses becomes another. The same value
 * means the same decisions.
 */
export function createEvaluators(
  now: Clock,
): (snapshot: Snapshot, scope: EvaluationScope) => Evaluator {
  const compile = createCompiler({ now });
  /** Anybody can invent an environment: all that do not exist are one. */
  const nothing = compile({ features: [] });
  const kept = new Map<string, Kept>();
  let size = 0;

  function keep(key: string, fresh: Kept): void {
    const before = kept.get(key);
    if (before) size -= sizeOf(before);
    // Again the last to be forgotten.
    kept.delete(key);
    kept.set(key, fresh);
    size += sizeOf(fresh);
    if (size <= maxFeatures) return;
    for (const [oldest, each] of kept) {
      if (size <= maxFeatures || each === fresh) break;
      kept.delete(oldest);
      size -= sizeOf(each);
    }
  }

  function renewed(
    found: Kept | undefined,
    snapshot: Snapshot,
    scope: EvaluationScope,
  ): Kept | undefined {
    const environment = snapshot.environments.get(scope.environment);
    if (!environment) return undefined;
    const isSame = found?.environment.features === environment.features;
    const features =
      found && isSame
        ? found.features
        : featuresIn(snapshot, scope).map(({ definition }) => definition);
    if (found && sameSegments(found.segments, snapshot) && sameFeatures(found.features, features)) {
      found.snapshot = snapshot;
      found.environment = environment;
      return found;
    }
    const segments = [...snapshot.segments.values()];
    return {
      ...{ snapshot, environment, features },
      segments: segmentsOf(features, snapshot),
      evaluator: compile({ features, segments }),
    };
  }

  return (snapshot, scope) => {
    const key = scopeKey(scope);
    const found = kept.get(key);
    const current = found?.snapshot === snapshot ? found : renewed(found, snapshot, scope);
    if (!current) return nothing;
    keep(key, current);
    return current.evaluator;
  };
}
