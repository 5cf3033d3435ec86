import { both, type CompiledFeature, either, type Facts, type FeatureTrace } from './compiled.ts';
import type { EvaluatedVariant, Evaluation, FeatureDefinition } from './definition.ts';
import type { Explanation, Result } from './explanation.ts';
import type { Outcome, Reason } from './outcome.ts';
import type { StrategySources } from './own-condition.ts';
import { compileParent } from './parent.ts';
import { type CompiledStrategy, compileStrategy } from './strategy.ts';
import {
  type Choice,
  type ChoiceTrace,
  compileChoice,
  evaluatedVariant,
  noVariant,
} from './variant.ts';

const notAVariant = noVariant(false);
const plainVariant = noVariant(true);

export const absent = (name: string): Evaluation => ({
  name,
  enabled: false,
  variant: notAVariant,
  impressionData: false,
});

/** Returns the outcome of a feature that is on. */
type Select = (facts: Facts, trace?: FeatureTrace) => Outcome;

/** Compiles one strategy per step: one can have a list of 16,000 addresses. */
export function* compileFeature(
  definition: FeatureDefinition,
  sources: Omit<StrategySources, 'featureName'>,
): Generator<void, CompiledFeature> {
  const { name, enabled } = definition;
  const impressionData = definition.impressionData ?? false;
  const strategies: CompiledStrategy[] = [];
  for (const strategy of definition.strategies ?? []) {
    strategies.push(yield* compileStrategy(strategy, { featureName: name, ...sources }));
    yield;
  }
  const parents = (definition.dependencies ?? []).map(compileParent);
  const hasParents = parents.length > 0;
  const choice = compileChoice(
    { variants: definition.variants ?? [], group: name },
    sources.reading,
    sources.chance,
  );
  const active = strategies.filter(({ isActive }) => isActive);
  const hasPayloads = [choice, ...active.map((strategy) => strategy.choice)].some((each) =>
    each?.variants.some(({ payload }) => payload),
  );

  const outcome = (evaluation: Omit<Evaluation, 'name' | 'impressionData'>, reason: Reason) => ({
    evaluation: Object.freeze({ name, ...evaluation, impressionData }),
    reason,
    hasPayloads,
  });
  const on = (variant: EvaluatedVariant, reason: Reason) =>
    outcome({ enabled: true, variant }, reason);
  const off = outcome({ enabled: false, variant: notAVariant }, enabled ? 'unmatched' : 'off');

  /** The outcomes of one strategy, or of a feature without strategies. `strategy` is its index, if it has variants. */
  function selection(variants: Choice | undefined, reason: Reason, strategy?: number): Select {
    // A feature with parents or several strategies is never 'fixed', because they also decide.
    const why = reason === 'fixed' && (hasParents || active.length > 1) ? 'targeted' : reason;
    if (variants === undefined) {
      const plain = on(plainVariant, why);
      return () => plain;
    }
    const outcomes = variants.variants.map((variant) =>
      on(evaluatedVariant(variant), variants.isFixed ? why : 'split'),
    );
    return (facts, trace) => {
      const own: ChoiceTrace | undefined = trace && {};
      const at = variants.choose(facts, own);
      if (trace && own?.choice) {
        trace.variant = { ...(strategy !== undefined && { strategy }), ...own.choice };
      }
      return outcomes[at] as Outcome;
    };
  }
  const branches = strategies.map((strategy, index) => ({
    ...strategy,
    select: strategy.choice
      ? selection(strategy.choice, strategy.reason, index)
      : selection(choice, strategy.reason),
  }));
  const isBare = strategies.length === 0;
  const selectBare = selection(choice, 'fixed');

  function whyOf(areParentsMet: boolean, isMatched: boolean): Explanation['reason'] {
    if (!enabled) return 'off';
    if (!areParentsMet) return 'parents';
    if (isBare) return 'no-strategies';
    return isMatched ? 'strategy-holds' : 'no-strategy-holds';
  }

  const activeBranches = branches.filter(({ isActive }) => isActive);
  const guard = enabled && activeBranches.length === 1 ? activeBranches[0]?.guard : undefined;

  function decide(facts: Facts, trace?: FeatureTrace): Outcome | undefined {
    if (!enabled && !trace) return undefined;
    let areParentsMet = true;
    for (const isMet of parents) {
      if (!isMet(facts, trace)) areParentsMet = false;
      if (!areParentsMet && !trace) return undefined;
    }
    // The first strategy that holds decides.
    let select = isBare ? selectBare : undefined;
    let result: Result = isBare;
    for (const strategy of trace ? branches : activeBranches) {
      const one = trace ? strategy.explain(facts, trace) : strategy.holds(facts);
      if (one === true) select ??= strategy.select;
      if (select && !trace) break;
      result = either(result, one);
    }
    if (trace) {
      trace.reason = whyOf(areParentsMet, select !== undefined);
      const results = trace.parents.map((parent) => parent.result);
      trace.result = results.reduce(both, enabled && result);
    }
    return enabled && areParentsMet ? select?.(facts, trace) : undefined;
  }

  return { isEnabled: enabled, hasParents, off, guard, decide };
}
