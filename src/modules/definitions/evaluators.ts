import { compile, type Evaluator } from '../evaluation/index.ts';
import { type EvaluationScope, featuresIn, scopeKey } from './scope.ts';
import type { DefinedEnvironment, DefinedSegment, Snapshot } from './snapshot.ts';

interface Kept {
  readonly features: DefinedEnvironment['features'] | undefined;
  readonly segments: readonly DefinedSegment[];
  readonly evaluator: Evaluator;
}

/** Tokens for other sets of projects than these many at a time are compiled for anew. */
const maxKept = 100;

const sameSegments = (a: readonly DefinedSegment[], b: Snapshot['segments']) =>
  a.length === b.size && a.every((segment) => b.get(segment.id) === segment);

/**
 * Evaluators for scopes, each compiled once and kept until something changes in its environment or in
 * segments. The same value means the same decisions.
 */
export function createEvaluators(): (snapshot: Snapshot, scope: EvaluationScope) => Evaluator {
  const kept = new Map<string, Kept>();
  return (snapshot, scope) => {
    const key = scopeKey(scope);
    const found = kept.get(key);
    const features = snapshot.environments.get(scope.environment)?.features;
    if (found && found.features === features && sameSegments(found.segments, snapshot.segments)) {
      return found.evaluator;
    }
    const segments = [...snapshot.segments.values()];
    const definition = {
      features: featuresIn(snapshot, scope).map((feature) => feature.definition),
      segments,
    };
    const evaluator = compile(definition);
    kept.delete(key);
    kept.set(key, { features, segments, evaluator });
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break;
      kept.delete(oldest);
    }
    return evaluator;
  };
}
