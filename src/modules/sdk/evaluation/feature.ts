import type { Constraints } from './constraint.ts';
import type { EvaluatedVariant, Evaluation, FeatureDefinition } from './definition.ts';
import type { Decision, Outcome, Reason } from './outcome.ts';
import type { StrategySources } from './own-condition.ts';
import { type Branch, withConditions } from './program.ts';
import { type CompiledStrategy, compileStrategy } from './strategy.ts';
import { type Choice, compileChoice, evaluatedVariant, noVariant } from './variant.ts';

export interface CompiledFeature {
  readonly definition: FeatureDefinition;
  /** Includes disabled strategies. */
  readonly strategies: readonly CompiledStrategy[];
  readonly choice: Choice | undefined;
  readonly hasParents: boolean;
  readonly off: Evaluation;
  readonly on: (variant: EvaluatedVariant) => Evaluation;
  /** All possible outcomes of the feature. */
  readonly outcomes: readonly Outcome[];
  /** Ignores parents. A context that matches no branch gets the outcome `otherwise`. */
  readonly branches: readonly Branch[];
  readonly otherwise: number;
}

const notAVariant = noVariant(false);
export const plainVariant = noVariant(true);

export const absent = (name: string): Evaluation => ({
  name,
  enabled: false,
  variant: notAVariant,
  impressionData: false,
});

function compileOutcome(
  choice: Choice | undefined,
  reason: Reason,
  add: (variant: EvaluatedVariant, reason: Reason) => number,
): Decision {
  if (choice === undefined) return add(plainVariant, reason);
  const { choose } = choice;
  const why = typeof choose === 'number' ? reason : 'split';
  const numbers = choice.variants.map((variant) => add(evaluatedVariant(variant), why));
  if (typeof choose === 'number') return numbers[choose] as number;
  return (facts) => numbers[choose(facts)] as number;
}

/** Compiles one strategy per step: one can have 30 expressions, or a list of 16,000 addresses. */
export function* compileFeature(
  definition: FeatureDefinition,
  shared: Constraints,
  { reading, chance }: Omit<StrategySources, 'featureName'>,
): Generator<void, CompiledFeature> {
  const { name, enabled } = definition;
  const impressionData = definition.impressionData ?? false;
  const off = Object.freeze({ name, enabled: false, variant: notAVariant, impressionData });
  const on = (variant: EvaluatedVariant): Evaluation =>
    Object.freeze({ name, enabled: true, variant, impressionData });
  const decisions: Omit<Outcome, 'hasPayloads'>[] = [];
  const add = (variant: EvaluatedVariant, reason: Reason) =>
    decisions.push({ evaluation: on(variant), reason }) - 1;

  const strategies: CompiledStrategy[] = [];
  for (const strategy of definition.strategies ?? []) {
    const prepared = yield* shared.prepare(strategy);
    strategies.push(compileStrategy(strategy, shared, { featureName: name, reading, chance }));
    prepared.length = 0;
    yield;
  }
  const choice = compileChoice(
    { variants: definition.variants ?? [], group: name },
    reading,
    chance,
  );
  const hasParents = (definition.dependencies ?? []).length > 0;
  const active = strategies.filter((strategy) => !strategy.definition.disabled);
  /** A feature with parents or several strategies is never 'fixed', because they also decide. */
  const why = (reason: Reason) =>
    reason === 'fixed' && (hasParents || active.length > 1) ? 'targeted' : reason;
  const byStrategies = active.map((strategy) => ({
    conditions: strategy.conditions,
    rollout: strategy.own.rollout,
    outcome: compileOutcome(strategy.choice ?? choice, why(strategy.reason), add),
  }));
  const bare = {
    conditions: [],
    rollout: undefined,
    outcome: compileOutcome(choice, why('fixed'), add),
  };
  const whenOn = strategies.length === 0 ? [bare] : byStrategies;
  const otherwise = decisions.push({ evaluation: off, reason: enabled ? 'unmatched' : 'off' }) - 1;
  const hasPayloads = decisions.some(({ evaluation }) => evaluation.variant.payload);
  return {
    definition,
    strategies,
    choice,
    hasParents,
    off,
    on,
    outcomes: decisions.map((decision) => ({ ...decision, hasPayloads })),
    branches: enabled ? whenOn.flatMap((branch) => withConditions(branch)) : [],
    otherwise,
  };
}
