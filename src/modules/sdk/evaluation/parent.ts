import type { Facts, FeatureTrace } from './compiled.ts';
import type { DependencyDefinition } from './definition.ts';
import type { ParentExplanation } from './explanation.ts';

/** Returns whether a parent is as a dependency wants it. */
export type ParentCondition = (facts: Facts, trace?: Pick<FeatureTrace, 'parents'>) => boolean;

/**
 * Compiles a dependency. Only one level is allowed: a parent that has parents itself satisfies no dependency. So there
 * can be no cycles.
 */
export function compileParent(definition: DependencyDefinition): ParentCondition {
  const enabled = definition.enabled !== false;
  const variants = enabled ? (definition.variants ?? []) : [];
  const about = {
    feature: definition.feature,
    wanted: { enabled, ...(variants.length > 0 && { variants }) },
  };

  function stateOf(facts: Facts, own?: FeatureTrace): Omit<ParentExplanation, keyof typeof about> {
    const parent = facts.scope.features.get(definition.feature);
    if (parent === undefined) return { reason: 'missing', result: false };
    if (parent.hasParents) return { reason: 'has-parents', result: false };
    const { evaluation } = parent.decide(facts, own) ?? parent.off;
    const actual = { enabled: evaluation.enabled, variant: evaluation.variant.name };
    const isInState = actual.enabled === enabled;
    const isAsWanted = isInState && (variants.length === 0 || variants.includes(actual.variant));
    return {
      actual,
      reason: isAsWanted ? 'as-wanted' : isInState ? 'other-variant' : 'other-state',
      result: own?.result === 'unknown' ? 'unknown' : isAsWanted,
    };
  }

  return (facts, trace) => {
    const state = stateOf(facts, trace && { parents: [], strategies: [] });
    trace?.parents.push({ ...about, ...state });
    return state.reason === 'as-wanted';
  };
}
