import { compileEntries, type Entry, type Sources } from './compile.ts';
import type { CompiledConstraint, CompiledSegment } from './constraint.ts';
import type {
  ConstraintDefinition,
  Context,
  Definition,
  Evaluation,
  VariantDefinition,
} from './definition.ts';
import type { CompiledParent } from './dependency.ts';
import { absent, type CompiledFeature, plainVariant } from './feature.ts';
import type { OwnConditionExplanation } from './own-condition.ts';
import type { Facts } from './reading.ts';
import { allSteps } from './steps.ts';
import type { CompiledStrategy } from './strategy.ts';
import { type ChoiceExplanation, evaluatedVariant } from './variant.ts';

/** 'unknown' depends on a strategy that only the application can evaluate. It counts as not active. */
type Result = boolean | 'unknown';

interface ConstraintExplanation {
  readonly constraint: ConstraintDefinition;
  /** The context's value; omitted if there is none. */
  readonly actual?: string;
  /** False if the constraint is invalid: then it never holds. */
  readonly sound: boolean;
  readonly result: boolean;
}

interface SegmentExplanation {
  readonly id: number;
  readonly name?: string;
  readonly exists: boolean;
  readonly constraints: readonly ConstraintExplanation[];
  readonly result: boolean;
}

interface StrategyExplanation {
  readonly id?: string;
  readonly name: string;
  readonly title?: string;
  /** A disabled strategy is skipped; its parts still show their results. */
  readonly disabled: boolean;
  readonly constraints: readonly ConstraintExplanation[];
  readonly segments: readonly SegmentExplanation[];
  readonly condition: OwnConditionExplanation;
  readonly result: Result;
}

interface ParentExplanation {
  readonly feature: string;
  readonly wanted: { readonly enabled: boolean; readonly variants?: readonly string[] };
  /** The state of the parent; omitted if it does not exist or has parents itself. */
  readonly actual?: { readonly enabled: boolean; readonly variant: string };
  readonly reason: 'missing' | 'has-parents' | 'as-wanted' | 'other-state' | 'other-variant';
  readonly result: Result;
}

interface VariantExplanation extends ChoiceExplanation {
  /** The index of the strategy that defines the variant; omitted for a variant of the feature. */
  readonly strategy?: number;
}

export interface Explanation {
  /** The result of `evaluate`. */
  readonly evaluation: Evaluation;
  /** Equals `evaluation.enabled`, or 'unknown'. */
  readonly result: Result;
  readonly reason:
    | 'missing'
    | 'off'
    | 'parents'
    | 'no-strategies'
    | 'strategy-holds'
    | 'no-strategy-holds';
  readonly parents: readonly ParentExplanation[];
  readonly strategies: readonly StrategyExplanation[];
  /** Omitted if there is no variant. */
  readonly variant?: VariantExplanation;
}

/** Combines conditions: one that fails decides, even if others are unknown. */
function all(results: readonly Result[]): Result {
  if (results.includes(false)) return false;
  return results.includes('unknown') ? 'unknown' : true;
}

function any(results: readonly Result[]): Result {
  if (results.includes(true)) return true;
  return results.includes('unknown') ? 'unknown' : false;
}

function explainConstraint(
  { definition, sound, text, holds }: CompiledConstraint,
  facts: Facts,
): ConstraintExplanation {
  const actual = text(facts);
  return {
    constraint: definition,
    ...(actual !== undefined && { actual }),
    sound,
    result: holds(facts),
  };
}

const explainSegment = (segment: CompiledSegment, facts: Facts): SegmentExplanation => ({
  id: segment.id,
  ...(segment.definition?.name !== undefined && { name: segment.definition.name }),
  exists: segment.definition !== undefined,
  constraints: segment.constraints.map((constraint) => explainConstraint(constraint, facts)),
  result: segment.holds(facts),
});

function explainStrategy(strategy: CompiledStrategy, facts: Facts): StrategyExplanation {
  const { id, name, title } = strategy.definition;
  const disabled = strategy.definition.disabled ?? false;
  const parts = {
    constraints: strategy.constraints.map((constraint) => explainConstraint(constraint, facts)),
    segments: strategy.segments.map((segment) => explainSegment(segment, facts)),
    condition: strategy.own.explain(facts),
  };
  const results = [...parts.constraints, ...parts.segments, parts.condition].map(
    ({ result }) => result,
  );
  return {
    ...(id !== undefined && { id }),
    name,
    ...(title && { title }),
    disabled,
    ...parts,
    result: !disabled && all(results),
  };
}

function explainVariant(
  feature: CompiledFeature,
  strategies: readonly StrategyExplanation[],
  facts: Facts,
): { variant?: VariantExplanation; evaluation: Evaluation } {
  const strategy = strategies.findIndex(({ result }) => result === true);
  const ownChoice = feature.strategies[strategy]?.choice;
  const choice = ownChoice ?? feature.choice;
  if (choice === undefined) return { evaluation: feature.on(plainVariant) };
  const chosen = choice.explain(facts);
  return {
    variant: { ...(ownChoice && { strategy }), ...chosen },
    evaluation: feature.on(evaluatedVariant(choice.variants[chosen.at] as VariantDefinition)),
  };
}

/**
 * Explains a feature without its parents. The decision is derived from the explanation, so that chance is drawn only
 * once.
 */
function explainAlone(feature: CompiledFeature, facts: Facts): Omit<Explanation, 'parents'> {
  const strategies = feature.strategies.map((strategy) => explainStrategy(strategy, facts));
  const { enabled } = feature.definition;
  const bare = strategies.length === 0;
  const result = enabled && (bare || any(strategies.map((strategy) => strategy.result)));
  if (result !== true) {
    const reason = enabled ? 'no-strategy-holds' : 'off';
    return { evaluation: feature.off, result, reason, strategies };
  }
  const reason = bare ? 'no-strategies' : 'strategy-holds';
  return { ...explainVariant(feature, strategies, facts), result, reason, strategies };
}

function explainParent({ definition, feature }: CompiledParent, facts: Facts): ParentExplanation {
  const enabled = definition.enabled !== false;
  const variants = enabled ? (definition.variants ?? []) : [];
  const about = {
    feature: definition.feature,
    wanted: { enabled, ...(variants.length > 0 && { variants }) },
  };
  if (feature === undefined) return { ...about, reason: 'missing', result: false };
  if (feature.hasParents) return { ...about, reason: 'has-parents', result: false };

  const { evaluation, result } = explainAlone(feature, facts);
  const actual = { enabled: evaluation.enabled, variant: evaluation.variant.name };
  const stateFits = actual.enabled === enabled;
  const fits = stateFits && (variants.length === 0 || variants.includes(actual.variant));
  return {
    ...about,
    actual,
    reason: fits ? 'as-wanted' : stateFits ? 'other-variant' : 'other-state',
    result: result === 'unknown' ? result : fits,
  };
}

function explainEntry(entry: Entry, facts: Facts): Explanation {
  const alone = explainAlone(entry.feature, facts);
  const parents = entry.parents.map((parent) => explainParent(parent, facts));
  const result = all([...parents.map((parent) => parent.result), alone.result]);
  if (alone.reason === 'off' || parents.every(({ reason }) => reason === 'as-wanted')) {
    return { ...alone, result, parents };
  }
  const { strategies } = alone;
  return { evaluation: entry.feature.off, result, reason: 'parents', parents, strategies };
}

interface Explainer {
  readonly explain: (name: string, context: Context) => Explanation;
}

/** Prepares explanations for many contexts of one definition. */
export const compileExplainer = (definition: Definition, sources?: Sources): Explainer =>
  allSteps(explainerInSteps(definition, sources));

/** Does the same in steps, for callers that serve other requests in between. */
export function* explainerInSteps(
  definition: Definition,
  sources?: Sources,
): Generator<void, Explainer> {
  const { entries, begin } = yield* compileEntries(definition, sources);
  return {
    explain(name, context) {
      const entry = entries.get(name);
      if (entry !== undefined) return explainEntry(entry, begin(context));
      const nothing = { result: false, reason: 'missing', parents: [], strategies: [] } as const;
      return { evaluation: absent(name), ...nothing };
    },
  };
}

/** Explains the decision of `evaluate`. Both use the same compiled parts. */
export function explain(
  definition: Definition,
  name: string,
  context: Context,
  sources?: Sources,
): Explanation {
  return compileExplainer(definition, sources).explain(name, context);
}
