import type { Clock } from '../../../platform/clock.ts';
import { allAtOnce } from '../../../platform/slices.ts';
import type { CompiledFeature, Condition, FeatureTrace, Scope, SegmentTrace } from './compiled.ts';
import { compileSegment, createConstraintCompiler } from './constraint.ts';
import type {
  Context,
  Definition,
  Evaluation,
  FeatureDefinition,
  SegmentDefinition,
} from './definition.ts';
import type { Explanation } from './explanation.ts';
import { absent, compileFeature } from './feature.ts';
import type { Outcome } from './outcome.ts';
import { createReading, type Reading } from './reading.ts';
import type { Chance } from './stickiness.ts';

interface Sources {
  /** The time for contexts without `currentTime`. */
  readonly now?: Clock;
  readonly chance?: Chance;
  /** Called with the first feature of an evaluation whose text matching exceeded the step limit. */
  readonly exhausted?: (feature: string) => void;
}

interface Decisions {
  /** In the order of the definition. */
  readonly outcomes: readonly Outcome[];
  /** Whether the same context will get the same outcomes: neither time nor chance affected them. */
  readonly isDeterministic: boolean;
}

export interface Evaluator {
  /** Evaluates a feature. Returns undefined for an unknown one. */
  readonly decide: (name: string, context: Context) => Outcome | undefined;
  /** Evaluates all features. */
  readonly decideAll: (context: Context) => Decisions;
  /** Evaluates all features, and returns those that are on. */
  readonly decideEnabled: (context: Context) => Decisions;
  /** Evaluates a feature. An unknown one is off. */
  readonly evaluate: (name: string, context: Context) => Evaluation;
  /** Evaluates all features, in the order of the definition. */
  readonly evaluateAll: (context: Context) => Evaluation[];
  /** Evaluates a feature, and explains how the parts of its definition led to the decision. */
  readonly explain: (name: string, context: Context) => Explanation;
}

/**
 * Compiles a definition in steps, so that other requests are served in between: 10,000 features take a second. The
 * compiled form of a feature that is evaluated once is not cached.
 */
type Compiler = (definition: Definition, once?: FeatureDefinition) => Generator<void, Evaluator>;

/**
 * Compiles many definitions that share features: each feature and each segment is compiled once. The evaluators share
 * the values read from a context, so only one of them may evaluate at a time.
 */
export function createCompiler({ now, chance = Math.random, exhausted }: Sources = {}): Compiler {
  const reading = createReading(now);
  const compileConstraint = createConstraintCompiler(reading);
  const fresh = (feature: FeatureDefinition) =>
    compileFeature(feature, { reading, compileConstraint, chance });
  const cached = cachedByDefinition(fresh);
  const segments = cachedByDefinition((segment: SegmentDefinition) =>
    compileSegment(segment, reading, compileConstraint),
  );

  return function* (definition, once) {
    const segmentById = new Map((definition.segments ?? []).map((each) => [each.id, each]));
    const scope = {
      features: new Map<string, CompiledFeature>(),
      segments: new Map<number, Condition<SegmentTrace>>(),
    };
    for (const feature of once ? [once, ...definition.features] : definition.features) {
      const compiled = feature === once ? fresh(feature) : cached(feature);
      scope.features.set(feature.name, yield* compiled);
      yield;
      for (const id of (feature.strategies ?? []).flatMap((strategy) => strategy.segments ?? [])) {
        const segment = segmentById.get(id);
        if (segment && !scope.segments.has(id)) scope.segments.set(id, yield* segments(segment));
      }
    }
    return evaluatorOf(scope, reading, exhausted);
  };
}

/** Compiles each definition once, and caches the result for as long as the definition exists. */
function cachedByDefinition<Part extends object, Compiled>(
  compile: (definition: Part) => Generator<void, Compiled>,
): (definition: Part) => Generator<void, Compiled> {
  const cache = new WeakMap<Part, Compiled>();
  return function* (definition) {
    const cached = cache.get(definition);
    if (cached !== undefined) return cached;
    const compiled = yield* compile(definition);
    cache.set(definition, compiled);
    return compiled;
  };
}

/** Compiles one definition at once. */
export const compile = (definition: Definition, sources?: Sources): Evaluator =>
  allAtOnce(createCompiler(sources)(definition));

function evaluatorOf(
  scope: Scope,
  { begin }: Reading,
  exhausted: (feature: string) => void = () => undefined,
): Evaluator {
  const all = [...scope.features.values()];
  const enabled = all.filter(({ isEnabled }) => isEnabled);

  function decide(name: string, context: Context): Outcome | undefined {
    const feature = scope.features.get(name);
    const facts = begin(context, scope);
    const outcome = feature?.decide(facts) ?? feature?.off;
    if (facts.stepsLeft < 0) exhausted(name);
    return outcome;
  }
  function decideEach(
    features: readonly CompiledFeature[],
    context: Context,
    outcomeOfOff: (feature: CompiledFeature) => Outcome | undefined,
  ): Decisions {
    const facts = begin(context, scope);
    const outcomes: Outcome[] = [];
    let isExhausted = false;
    for (const feature of features) {
      const { guard } = feature;
      const isPossible = guard === undefined || guard(facts) === true;
      const outcome = (isPossible ? feature.decide(facts) : undefined) ?? outcomeOfOff(feature);
      if (outcome) outcomes.push(outcome);
      if (facts.stepsLeft < 0 && !isExhausted) {
        isExhausted = true;
        exhausted(feature.off.evaluation.name);
      }
    }
    return { outcomes, isDeterministic: facts.isDeterministic };
  }
  const decideAll = (context: Context) => decideEach(all, context, ({ off }) => off);
  return {
    decide,
    decideAll,
    decideEnabled: (context) => decideEach(enabled, context, () => undefined),
    evaluate: (name, context) => decide(name, context)?.evaluation ?? absent(name),
    evaluateAll: (context) => decideAll(context).outcomes.map(({ evaluation }) => evaluation),
    explain(name, context) {
      const feature = scope.features.get(name);
      const trace: FeatureTrace = { parents: [], strategies: [] };
      if (feature === undefined) {
        return { evaluation: absent(name), result: false, reason: 'missing', ...trace };
      }
      const { evaluation } = feature.decide(begin(context, scope), trace) ?? feature.off;
      const { result = evaluation.enabled, reason = 'off', ...parts } = trace;
      return { evaluation, result, reason, ...parts };
    },
  };
}
