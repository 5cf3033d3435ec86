import {
  all,
  type Condition,
  type ConstraintTrace,
  type Facts,
  type OwnConditionTrace,
  type SegmentTrace,
  type StrategyTrace,
} from './compiled.ts';
import { compileSegmentUse } from './constraint.ts';
import type { StrategyDefinition } from './definition.ts';
import type { OwnConditionExplanation, Result } from './explanation.ts';
import type { Reason } from './outcome.ts';
import { compileOwnCondition, groupOf, parameter, type StrategySources } from './own-condition.ts';
import { type Choice, compileChoice } from './variant.ts';

type PartsTrace = ConstraintTrace & SegmentTrace & OwnConditionTrace;

export interface CompiledStrategy {
  /** A disabled strategy is only explained. */
  readonly isActive: boolean;
  readonly holds: Condition<PartsTrace>;
  /** Its first constraint or segment. */
  readonly guard: Condition<never> | undefined;
  /** Adds the strategy to a trace, with its parts. */
  readonly explain: (facts: Facts, trace: StrategyTrace) => Result;
  /** Undefined without variants: then the feature's variants apply. */
  readonly choice: Choice | undefined;
  /** The reason of an evaluation in which it holds. */
  readonly reason: Reason;
}

/** Compiles one constraint per step: expressions, or lists of thousands of values. */
export function* compileStrategy(
  definition: StrategyDefinition,
  sources: StrategySources,
): Generator<void, CompiledStrategy> {
  const { featureName, compileConstraint, reading, chance } = sources;
  const { id, name, title } = definition;
  const disabled = definition.disabled ?? false;
  const parts: Condition<PartsTrace>[] = [];
  for (const constraint of definition.constraints ?? []) {
    parts.push(compileConstraint(constraint));
    yield;
  }
  for (const segment of definition.segments ?? []) parts.push(compileSegmentUse(segment));
  const isTargeted = parts.length > 0;
  const own = compileOwnCondition(definition, sources);
  const holds = all([...parts, own.holds]);
  const choice = compileChoice(
    {
      variants: definition.variants ?? [],
      group: groupOf(definition, featureName),
      stickiness: parameter(definition, 'stickiness'),
    },
    reading,
    chance,
  );
  return {
    isActive: !disabled,
    holds,
    guard: parts[0],
    explain(facts, trace) {
      const found: PartsTrace = { constraints: [], segments: [] };
      const held = holds(facts, found);
      const result = !disabled && held;
      trace.strategies.push({
        id,
        name,
        title: title || undefined,
        disabled,
        constraints: found.constraints,
        segments: found.segments,
        condition: found.condition as OwnConditionExplanation,
        result,
      });
      return result;
    },
    choice,
    reason: isTargeted && own.reason === 'fixed' ? 'targeted' : own.reason,
  };
}
