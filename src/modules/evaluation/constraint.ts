import type { ConstraintDefinition, SegmentDefinition } from './definition.ts';
import { type Condition, operators } from './operator.ts';
import type { Facts, Reader, Reading } from './reading.ts';

export interface CompiledConstraint {
  readonly definition: ConstraintDefinition;
  /** False for an operator that is not known and a value that it cannot compare with. */
  readonly sound: boolean;
  readonly text: Reader<string>;
  readonly holds: Condition;
}

export interface CompiledSegment {
  readonly id: number;
  /** Undefined when the definition has no such segment. */
  readonly definition: SegmentDefinition | undefined;
  readonly constraints: readonly CompiledConstraint[];
  readonly holds: Condition;
}

export interface Constraints {
  readonly compile: (definition: ConstraintDefinition) => CompiledConstraint;
  readonly segment: (id: number) => CompiledSegment;
}

const always: Condition = () => true;
const never: Condition = () => false;

/** Whether all of them hold. */
export function every(conditions: readonly Condition[]): Condition {
  const [first, second] = conditions;
  if (first === undefined) return always;
  if (second === undefined) return first;
  if (conditions.length === 2) return (facts) => first(facts) && second(facts);
  return (facts) => {
    for (const holds of conditions) if (!holds(facts)) return false;
    return true;
  };
}

/** A constraint that makes no sense never holds, inverted or not: who wrote it meant something else. */
function compileCondition(definition: ConstraintDefinition, reading: Reading) {
  const condition = operators.get(definition.operator)?.(definition, reading);
  if (condition === undefined) return undefined;
  return definition.inverted ? (facts: Facts) => !condition(facts) : condition;
}

function compileConstraint(definition: ConstraintDefinition, reading: Reading): CompiledConstraint {
  const condition = compileCondition(definition, reading);
  return {
    definition,
    sound: condition !== undefined,
    text: reading.text(definition.contextName),
    holds: condition ?? never,
  };
}

/** Equal constraints, of which features have many, are one; so is a segment, whoever has it. */
export function compileConstraints(
  segments: readonly SegmentDefinition[],
  reading: Reading,
): Constraints {
  const compiled = new Map<string, CompiledConstraint>();
  const compile = (definition: ConstraintDefinition): CompiledConstraint => {
    const { contextName, operator, values, value, inverted, caseInsensitive } = definition;
    const key = JSON.stringify([contextName, operator, values, value, inverted, caseInsensitive]);
    const constraint = compiled.get(key) ?? compileConstraint(definition, reading);
    compiled.set(key, constraint);
    return constraint;
  };

  const found = new Map<number, CompiledSegment>();
  for (const definition of segments) {
    const { id } = definition;
    const constraints = (definition.constraints ?? []).map(compile);
    const holds = reading.remembered(every(constraints.map((constraint) => constraint.holds)));
    found.set(id, { id, definition, constraints, holds });
  }
  return {
    compile,
    segment: (id) => found.get(id) ?? { id, definition: undefined, constraints: [], holds: never },
  };
}
