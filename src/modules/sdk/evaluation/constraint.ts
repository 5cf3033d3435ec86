import { createHash } from 'node:crypto';
import { createCache } from '../../../platform/cache.ts';
import { all, type Condition, type ConstraintTrace, type SegmentTrace } from './compiled.ts';
import type { ConstraintDefinition, SegmentDefinition } from './definition.ts';
import { operators } from './operator.ts';
import type { Reading } from './reading.ts';

export type CompileConstraint = (definition: ConstraintDefinition) => Condition<ConstraintTrace>;

/** Longer keys are lists of many values, which the constraint already contains. */
const shortKey = 100;

function keyOf(definition: ConstraintDefinition): string {
  const { contextName, operator, values, value, inverted, caseInsensitive } = definition;
  const key = JSON.stringify([contextName, operator, values, value, inverted, caseInsensitive]);
  return key.length <= shortKey ? key : createHash('sha256').update(key).digest('base64');
}

/** How many values the cached constraints may have together. */
const maxValues = 500_000;
/** The cost of a constraint without values, in values. */
const ownCost = 20;

/**
 * Compiles constraints: equal ones once, and each is tested once for a context. Features often have the same constraints,
 * and matching an expression takes microseconds.
 */
export function createConstraintCompiler(reading: Reading): CompileConstraint {
  const cache = createCache<string, { condition: Condition<ConstraintTrace>; cost: number }>({
    maxCost: maxValues,
    costOf: ({ cost }) => cost,
  });
  return (definition) => {
    const key = keyOf(definition);
    const cached = cache.get(key);
    if (cached) return cached.condition;
    const condition = compileConstraint(definition, reading);
    cache.set(key, { condition, cost: ownCost + (definition.values ?? []).length });
    return condition;
  };
}

/** An invalid constraint never holds, inverted or not, because its author meant something else. */
function compileConstraint(
  definition: ConstraintDefinition,
  reading: Reading,
): Condition<ConstraintTrace> {
  const test = operators.get(definition.operator)?.(definition, reading);
  const inverted = definition.inverted ?? false;
  const text = reading.text(definition.contextName);
  const holds = reading.remembered((facts) => test !== undefined && test(facts) !== inverted);
  return (facts, trace) => {
    const result = holds(facts);
    if (trace === undefined) return result;
    trace.constraints.push({
      constraint: definition,
      actual: text(facts),
      sound: test !== undefined,
      result,
    });
    return result;
  };
}

/** Compiles one constraint per step: each can have thousands of values, and a feature hundreds of segments. */
export function* compileSegment(
  { id, name, constraints }: SegmentDefinition,
  reading: Reading,
  compileConstraint: CompileConstraint,
): Generator<void, Condition<SegmentTrace>> {
  const conditions: Condition<ConstraintTrace>[] = [];
  for (const constraint of constraints ?? []) {
    conditions.push(compileConstraint(constraint));
    yield;
  }
  const holds = all(conditions);
  // A thousand features may have the same segment.
  const holdsOnce = reading.remembered((facts) => holds(facts));
  return (facts, trace) => {
    if (trace === undefined) return holdsOnce(facts);
    const own: ConstraintTrace = { constraints: [] };
    const result = holds(facts, own) === true;
    trace.segments.push({ id, name, exists: true, ...own, result });
    return result;
  };
}

/** The condition of a strategy with this segment. One that does not exist holds for no one. */
export const compileSegmentUse = (id: number): Condition<SegmentTrace> => {
  return (facts, trace) => {
    const segment = facts.scope.segments.get(id);
    if (segment) return segment(facts, trace);
    trace?.segments.push({ id, exists: false, constraints: [], result: false });
    return false;
  };
};
