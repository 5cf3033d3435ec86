import { createHash } from 'node:crypto';
import type { ConstraintDefinition, SegmentDefinition, StrategyDefinition } from './definition.ts';
import { always, type Condition, never, operators } from './operator.ts';
import type { Facts, Reader, Reading } from './reading.ts';
import { allSteps, type Steps } from './steps.ts';
import { createWeakIndex } from './weak-index.ts';

export interface CompiledConstraint {
  readonly definition: ConstraintDefinition;
  /** False for an unknown operator, or a value that it cannot compare with. */
  readonly sound: boolean;
  readonly text: Reader<string>;
  readonly holds: Condition;
}

export interface CompiledSegment {
  readonly id: number;
  /** Undefined if the definition has no such segment. */
  readonly definition: SegmentDefinition | undefined;
  readonly constraints: readonly CompiledConstraint[];
  readonly holds: Condition;
}

export interface Constraints {
  readonly compile: (definition: ConstraintDefinition) => CompiledConstraint;
  readonly segment: (id: number) => CompiledSegment;
  /**
   * Compiles the expressions of a strategy and the constraints of its segments, one per step. They stay compiled while
   * the caller holds the result.
   */
  readonly prepare: (strategy: StrategyDefinition) => Generator<void, CompiledConstraint[]>;
}

/** Combines conditions that all have to hold. */
function every(conditions: readonly Condition[]): Condition {
  const [first] = conditions;
  if (first === undefined) return always;
  if (conditions.length === 1) return first;
  return (facts) => {
    for (const holds of conditions) if (!holds(facts)) return false;
    return true;
  };
}

/** Compiles a constraint. An invalid one never holds, inverted or not, because its author meant something else. */
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

/** Longer keys are lists of many values, which the constraint already contains. */
const shortKey = 100;

function keyOf(definition: ConstraintDefinition): string {
  const { contextName, operator, values, value, inverted, caseInsensitive } = definition;
  const key = JSON.stringify([contextName, operator, values, value, inverted, caseInsensitive]);
  return key.length <= shortKey ? key : createHash('sha256').update(key).digest('base64');
}

/** Shares equal constraints, of which features have many, and segments. */
export function createConstraints(reading: Reading) {
  const constraints = createWeakIndex<CompiledConstraint>();
  const segments = new WeakMap<SegmentDefinition, CompiledSegment>();

  const compile = (definition: ConstraintDefinition): CompiledConstraint =>
    constraints.get(keyOf(definition), () => compileConstraint(definition, reading));

  /** Compiles one constraint per step: a segment can have 7,500 values, and a feature hundreds of segments. */
  function* compileSegment(definition: SegmentDefinition): Steps<CompiledSegment> {
    const compiled: CompiledConstraint[] = [];
    for (const constraint of definition.constraints ?? []) {
      compiled.push(compile(constraint));
      yield;
    }
    const holds = every(compiled.map((constraint) => constraint.holds));
    const segment = { id: definition.id, definition, constraints: compiled, holds };
    segments.set(definition, segment);
    return segment;
  }

  return {
    compile,
    *prepare(
      { constraints: own, segments: ids }: StrategyDefinition,
      find: (id: number) => SegmentDefinition | undefined,
    ): Generator<void, CompiledConstraint[]> {
      const prepared: CompiledConstraint[] = [];
      for (const definition of own ?? []) {
        if (definition.operator !== 'REGEX') continue;
        prepared.push(compile(definition));
        yield;
      }
      for (const id of ids ?? []) {
        const segment = find(id);
        if (segment && !segments.has(segment)) yield* compileSegment(segment);
      }
      return prepared;
    },
    segment(id: number, definition: SegmentDefinition | undefined): CompiledSegment {
      if (definition === undefined) return { id, definition, constraints: [], holds: never };
      return segments.get(definition) ?? allSteps(compileSegment(definition));
    },
  };
}
