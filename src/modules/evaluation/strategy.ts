import {
  type CompiledConstraint,
  type CompiledSegment,
  type Constraints,
  every,
} from './constraint.ts';
import type { StrategyDefinition } from './definition.ts';
import type { Condition } from './operator.ts';
import {
  compileOwnCondition,
  type OwnCondition,
  parameter,
  type Surroundings,
} from './own-condition.ts';
import { type Choice, compileChoice } from './variant.ts';

export interface CompiledStrategy {
  readonly definition: StrategyDefinition;
  readonly constraints: readonly CompiledConstraint[];
  readonly segments: readonly CompiledSegment[];
  readonly own: OwnCondition;
  /** Undefined without variants: those of the feature count then. */
  readonly choice: Choice | undefined;
  /** Whether it would hold if it were not disabled. */
  readonly holds: Condition;
}

export function compileStrategy(
  definition: StrategyDefinition,
  shared: Constraints,
  surroundings: Surroundings,
): CompiledStrategy {
  const { featureName, reading, chance } = surroundings;
  const constraints = (definition.constraints ?? []).map(shared.compile);
  const segments = (definition.segments ?? []).map(shared.segment);
  const own = compileOwnCondition(definition, surroundings);
  return {
    definition,
    constraints,
    segments,
    own,
    choice: compileChoice(
      {
        variants: definition.variants ?? [],
        group: parameter(definition, 'groupId') ?? featureName,
        stickiness: parameter(definition, 'stickiness'),
      },
      reading,
      chance,
    ),
    holds: every([...constraints, ...segments, own].map(({ holds }) => holds)),
  };
}
