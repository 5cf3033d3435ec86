import type { Constraints } from './constraint.ts';
import type { EvaluatedVariant, Evaluation, FeatureDefinition } from './definition.ts';
import type { Condition } from './operator.ts';
import type { Surroundings } from './own-condition.ts';
import type { Facts } from './reading.ts';
import { type CompiledStrategy, compileStrategy } from './strategy.ts';
import { type Choice, compileChoice, evaluatedVariant, noVariant } from './variant.ts';

export type Decide = (facts: Facts) => Evaluation;

export interface CompiledFeature {
  readonly definition: FeatureDefinition;
  /** Disabled ones too. */
  readonly strategies: readonly CompiledStrategy[];
  readonly choice: Choice | undefined;
  readonly hasParents: boolean;
  readonly off: Evaluation;
  readonly on: (variant: EvaluatedVariant) => Evaluation;
  /** What is decided as if the feature had no parents. */
  readonly alone: Decide;
}

const notAVariant = noVariant(false);
export const plainVariant = noVariant(true);

export const absent = (name: string): Evaluation => ({
  name,
  enabled: false,
  variant: notAVariant,
  impressionData: false,
});

/** Every answer there can be is made once: deciding only picks one. */
function compileOutcome(
  choice: Choice | undefined,
  on: (variant: EvaluatedVariant) => Evaluation,
): Decide {
  if (choice === undefined) {
    const plain = on(plainVariant);
    return () => plain;
  }
  const evaluations = choice.variants.map((variant) => on(evaluatedVariant(variant)));
  return (facts) => evaluations[choice.choose(facts)] as Evaluation;
}

export function compileFeature(
  definition: FeatureDefinition,
  shared: Constraints,
  { reading, chance }: Omit<Surroundings, 'featureName'>,
): CompiledFeature {
  const { name, enabled } = definition;
  const impressionData = definition.impressionData ?? false;
  const off = Object.freeze({ name, enabled: false, variant: notAVariant, impressionData });
  const on = (variant: EvaluatedVariant): Evaluation =>
    Object.freeze({ name, enabled: true, variant, impressionData });

  const strategies = (definition.strategies ?? []).map((strategy) =>
    compileStrategy(strategy, shared, { featureName: name, reading, chance }),
  );
  const choice = compileChoice(
    { variants: definition.variants ?? [], group: name },
    reading,
    chance,
  );
  const outcome = compileOutcome(choice, on);
  const asked = strategies.filter((strategy) => !strategy.definition.disabled);
  const conditions = asked.map(({ holds }) => holds);
  const outcomes = asked.map((strategy) =>
    strategy.choice === undefined ? outcome : compileOutcome(strategy.choice, on),
  );
  const byStrategies: Decide = (facts) => {
    for (let at = 0; at < conditions.length; at += 1) {
      if ((conditions[at] as Condition)(facts)) return (outcomes[at] as Decide)(facts);
    }
    return off;
  };
  const whenOn = strategies.length === 0 ? outcome : byStrategies;
  return {
    definition,
    strategies,
    choice,
    hasParents: (definition.dependencies ?? []).length > 0,
    off,
    on,
    alone: enabled ? whenOn : () => off,
  };
}
