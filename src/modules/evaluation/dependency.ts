import type { DependencyDefinition } from './definition.ts';
import type { CompiledFeature } from './feature.ts';
import type { Condition } from './operator.ts';

export interface CompiledParent {
  readonly definition: DependencyDefinition;
  /** Undefined when the definition has no feature of that name. */
  readonly feature: CompiledFeature | undefined;
  readonly holds: Condition;
}

/**
 * What a feature wants of another. One level only: a parent that has parents itself satisfies
 * nobody, so that no cycle can be walked, and a parent is always decided as if it stood alone.
 */
export function compileParent(
  definition: DependencyDefinition,
  feature: CompiledFeature | undefined,
): CompiledParent {
  return { definition, feature, holds: compileExpectation(definition, feature) };
}

function compileExpectation(
  { enabled, variants }: DependencyDefinition,
  feature: CompiledFeature | undefined,
): Condition {
  if (feature === undefined || feature.hasParents) return () => false;
  const { alone } = feature;
  if (enabled === false) return (facts) => !alone(facts).enabled;
  if (!variants || variants.length === 0) return (facts) => alone(facts).enabled;
  const wanted = new Set(variants);
  return (facts) => {
    const evaluation = alone(facts);
    return evaluation.enabled && wanted.has(evaluation.variant.name);
  };
}
