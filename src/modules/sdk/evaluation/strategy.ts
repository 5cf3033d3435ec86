import type { CompiledConstraint, CompiledSegment, Constraints } from './constraint.ts';
import type { StrategyDefinition } from './definition.ts';
import type { Condition } from './operator.ts';
import type { Reason } from './outcome.ts';
import {
  compileOwnCondition,
  groupOf,
  type OwnCondition,
  parameter,
  type StrategySources,
} from './own-condition.ts';
import { type Choice, compileChoice } from './variant.ts';

export interface CompiledStrategy {
  readonly definition: StrategyDefinition;
  readonly constraints: readonly CompiledConstraint[];
  readonly segments: readonly CompiledSegment[];
  readonly own: OwnCondition;
  /** Undefined without variants: then the feature's variants apply. */
  readonly choice: Choice | undefined;
  /** The conditions of constraints, segments and the strategy itself, regardless of whether it is disabled. */
  readonly conditions: readonly Condition[];
  /** The reason of an evaluation in which it holds. */
  readonly reason: Reason;
}

export function compileStrategy(
  definition: StrategyDefinition,
  shared: Constraints,
  sources: StrategySources,
): CompiledStrategy {
  const { featureName, reading, chance } = sources;
  const constraints = (definition.constraints ?? []).map(shared.compile);
  const segments = (definition.segments ?? []).map(shared.segment);
  const own = compileOwnCondition(definition, sources);
  const targets = constraints.length + segments.length > 0;
  return {
    definition,
    constraints,
    segments,
    own,
    choice: compileChoice(
      {
        variants: definition.variants ?? [],
        group: groupOf(definition, featureName),
        stickiness: parameter(definition, 'stickiness'),
      },
      reading,
      chance,
    ),
    conditions: [...constraints, ...segments, own].map(({ holds }) => holds),
    reason: targets && own.reason === 'fixed' ? 'targeted' : own.reason,
  };
}
