/**
 * What a definition is compiled into: plain functions, one for each constraint, segment, strategy and feature, which
 * call each other as the definition nests them.
 *
 * Each has one implementation of its rule, which decides and explains. Without a trace it decides as quickly as it can.
 * With a trace it adds what it found, and also looks at parts that can no longer change the result, so that the
 * explanation is complete.
 */
import type { Context } from './definition.ts';
import type {
  ConstraintExplanation,
  Explanation,
  OwnConditionExplanation,
  ParentExplanation,
  Result,
  SegmentExplanation,
  StrategyExplanation,
} from './explanation.ts';
import type { Outcome } from './outcome.ts';

/** A context during one evaluation, with the values read from it so far. */
export interface Facts {
  context: Context;
  scope: Scope;
  /** The number of the evaluation. A reader's cached value is valid only in the same one. */
  turn: number;
  /** Whether the same context will get the same result: neither time nor chance affected it. */
  isDeterministic: boolean;
  /** The remaining steps for text matching; negative once something exceeded them. */
  stepsLeft: number;
}

/** The features that are evaluated together, and their segments. */
export interface Scope {
  readonly features: ReadonlyMap<string, CompiledFeature>;
  readonly segments: ReadonlyMap<number, Condition<SegmentTrace>>;
}

export type Condition<Trace> = (facts: Facts, trace?: Trace) => Result;

export interface CompiledFeature {
  readonly isEnabled: boolean;
  readonly hasParents: boolean;
  readonly off: Outcome;
  /**
   * A condition without which the feature is off, if there is one. Thousands of features often share a constraint, which
   * is cheaper to ask than each feature: a third of the time for 1,000 features.
   */
  readonly guard: Condition<never> | undefined;
  /** Returns undefined if the feature is off. */
  readonly decide: (facts: Facts, trace?: FeatureTrace) => Outcome | undefined;
}

export interface ConstraintTrace {
  readonly constraints: ConstraintExplanation[];
}

export interface SegmentTrace {
  readonly segments: SegmentExplanation[];
}

export interface OwnConditionTrace {
  condition?: OwnConditionExplanation;
}

export interface StrategyTrace {
  readonly strategies: StrategyExplanation[];
}

/** Complete when the feature is decided. */
export interface FeatureTrace extends StrategyTrace {
  readonly parents: ParentExplanation[];
  variant?: NonNullable<Explanation['variant']>;
  reason?: Explanation['reason'];
  result?: Result;
}

/** Combines results that all have to be true. One that is false decides, even if others are unknown. */
export const both = (one: Result, other: Result): Result =>
  one === true || other === false ? other : one;

/** Combines results of which one has to be true. */
export const either = (one: Result, other: Result): Result =>
  one === false || other === true ? other : one;

/** Combines conditions that all have to hold. */
export function all<Trace>(conditions: readonly Condition<Trace>[]): Condition<Trace> {
  const [only] = conditions;
  if (only !== undefined && conditions.length === 1) return only;
  return (facts, trace) => {
    let result: Result = true;
    for (const holds of conditions) {
      const one = holds(facts, trace);
      if (one !== true && trace === undefined) return one;
      result = both(result, one);
    }
    return result;
  };
}
