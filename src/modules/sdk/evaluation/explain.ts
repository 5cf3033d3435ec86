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

/** 'unknown' depends on a strategy that only the application can evaluate; it counts as not active. */
type Result = boolean | 'unknown';

interface ConstraintExplanation {
  readonly constraint: ConstraintDefinition;
  /** What the context has; left out when it has nothing. */
  readonly actual?: string;
  /** False when nobody could tell what the constraint means: it never holds then. */
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
  /** A disabled strategy is passed over; its parts still say what they would have given. */
  readonly disabled: boolean;
  readonly constraints: readonly ConstraintExplanation[];
  readonly segments: readonly SegmentExplanation[];
  readonly condition: OwnConditionExplanation;
  readonly result: Result;
}

interface ParentExplanation {
  readonly feature: string;
  readonly wanted: { readonly enabled: boolean; readonly variants?: readonly string[] };
  /** What the parent is; left out when it does not exist or has parents itself. */
  readonly actual?: { readonly enabled: boolean; readonly variant: string };
  readonly reason: 'missing' | 'has-parents' | 'as-wanted' | 'other-state' | 'other-variant';
  readonly result: Result;
}

interface VariantExplanation extends ChoiceExplanation {
  /** The place of the strategy whose variant it is; left out for a variant of the feature. */
  readonly strategy?: number;
}

export interface Explanation {
  /** What `evaluate` decides. */
  readonly evaluation: Evaluation;
  /** As `evaluation.enabled`, or unknown. */
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
  /** Left out when there is no variant. */
  readonly variant?: VariantExplanation;
}

/** What a list of conditions comes to: one that fails decides, whatever is unknown. */
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

/** As if it had no parents. The decision follows from what is told, as chance is asked only once. */
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

/** For many questions about one definition. */
export const compileExplainer = (definition: Definition, sources?: Sources): Explainer =>
  allSteps(explainerInSteps(definition, sources));

/** The same for who lets others in between. */
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

/** The decision of `evaluate` with all reasons; both are made of the same compiled parts. */
export function explain(
  definition: Definition,
  name: string,
  context: Context,
  sources?: Sources,
): Explanation {
  return compileExplainer(definition, sources).explain(name, context);
}
