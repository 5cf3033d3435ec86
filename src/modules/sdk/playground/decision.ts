import type { Explanation } from '../evaluation/index.ts';
import type { DefinedFeature } from '../snapshot/index.ts';
import { decisionWords, strategyWords } from './wording.ts';

type Strategy = Explanation['strategies'][number];
type Constraint = Strategy['constraints'][number];
type Definitions = NonNullable<DefinedFeature['definition']['strategies']>;

/** An evaluated feature in an environment. */
export interface FeatureDecision {
  readonly feature: DefinedFeature;
  readonly environment: string;
  readonly explanation: Explanation;
}

const constraintOf = ({ constraint, actual, result }: Constraint) => ({
  ...constraint,
  actual,
  result,
});

const segmentOf = ({ id, name = '', constraints, result }: Strategy['segments'][number]) => ({
  id,
  name,
  constraints: constraints.map(constraintOf),
  result,
});

function outcomeOf({ disabled, condition, result }: Strategy) {
  if (disabled) return { enabled: 'unknown', evaluationStatus: 'unevaluated' };
  const evaluationStatus = condition.result === 'unknown' ? 'incomplete' : 'complete';
  return { enabled: result, evaluationStatus };
}

const editPath = ({ feature, environment }: FeatureDecision, strategy: string): string =>
  `/projects/${encodeURIComponent(feature.project)}/features/${encodeURIComponent(feature.name)}` +
  `/strategies/edit?environmentId=${encodeURIComponent(environment)}&strategyId=${encodeURIComponent(strategy)}`;

function strategyOf(decided: FeatureDecision, strategy: Strategy, index: number) {
  const definition = (decided.feature.definition.strategies as Definitions)[index];
  const { evaluation, variant } = decided.explanation;
  const { id = '', name, title, disabled, condition } = strategy;
  const own = definition?.variants ?? [];
  return {
    id,
    name,
    title,
    disabled,
    parameters: definition?.parameters ?? {},
    constraints: strategy.constraints.map(constraintOf),
    segments: strategy.segments.map(segmentOf),
    condition,
    result: {
      ...outcomeOf(strategy),
      variant: variant?.strategy === index ? evaluation.variant : undefined,
      variants: own.length > 0 ? own : undefined,
    },
    explanation: strategyWords(strategy),
    links: { edit: editPath(decided, id) },
  };
}

/** A parent that the caller may not see is not named. */
const parentOf = ({ feature, wanted, ...parent }: Explanation['parents'][number]) => ({
  ...(parent.reason !== 'missing' && { feature }),
  ...wanted,
  ...parent,
});

/** Whether one of the strategies matches, regardless of dependencies and of whether the feature is enabled. */
function anyHolds(strategies: readonly Strategy[]): boolean | 'unknown' {
  if (strategies.length === 0) return true;
  const results = strategies.map(({ result }) => result);
  return results.includes(true) || (results.includes('unknown') && 'unknown');
}

/** A decision as the API returns it. */
export function decisionOf(decided: FeatureDecision) {
  const { feature, environment, explanation } = decided;
  const { evaluation, reason, parents, strategies, variant } = explanation;
  const { definition } = feature;
  const from =
    variant?.strategy === undefined ? undefined : definition.strategies?.[variant.strategy];
  return {
    name: feature.name,
    projectId: feature.project,
    isEnabled: evaluation.enabled,
    isEnabledInCurrentEnvironment: definition.enabled,
    hasUnsatisfiedDependency: parents.some((parent) => parent.reason !== 'as-wanted'),
    parentDependencies: parents.map(parentOf),
    strategies: {
      result: anyHolds(strategies),
      data: strategies.map((strategy, index) => strategyOf(decided, strategy, index)),
    },
    variant: evaluation.variant,
    variants: from?.variants ?? definition.variants ?? [],
    variantChoice: variant && choiceOf(variant),
    reason,
    explanation: decisionWords(explanation, environment),
  };
}

const choiceOf = ({ variant, at, ...choice }: NonNullable<Explanation['variant']>) => choice;
