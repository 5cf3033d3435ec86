import type { Clock } from '../../../platform/clock.ts';
import {
  type ConstraintDefinition,
  type Context,
  createCompiler,
  type Evaluator,
  type Explanation,
  type FeatureDefinition,
} from '../evaluation/index.ts';
import { contextOf, decisionWords, type FlatContext } from '../playground/index.ts';
import { type Budget, stepsOf } from './budget.ts';
import {
  type Combination,
  type Condition,
  describe,
  fixedValues,
  selectCombinations,
} from './combinations.ts';
import { conditionsOf } from './conditions.ts';
import { createGroups, type Draw, type Group } from './decision-groups.ts';
import { findFields } from './fields.ts';
import { countSplits, createChance, drawsOf, sampleValues } from './sampling.ts';
import { type EvaluatedState, type States, segmentsOf, withParents } from './state.ts';

interface Decision {
  readonly enabled: boolean;
  /** Omitted if it has none. */
  readonly variant?: string;
  /** Why, for the example. */
  readonly explanation: string;
}

/** Contexts with the same decision before and the same other decision after. */
export interface ChangedDecision {
  readonly before: Decision;
  readonly after: Decision;
  /** Whether only the payload of the variant differs. */
  readonly payloadChanged: boolean;
  readonly contexts: number;
  /** How many of them the user has tried. */
  readonly tried: number;
  /** The percentage of the users in these contexts; omitted if it is all of them. */
  readonly share?: { readonly from: number; readonly to: number };
  /** Which contexts these are; omitted if that can't be said in a few conditions. */
  readonly where?: Condition[];
  readonly example: Record<string, string>;
}

export interface FeaturePreview {
  readonly contexts: number;
  readonly changedContexts: number;
  readonly groups: ChangedDecision[];
  /** Expressions for which no matching value was found. */
  readonly unmatched: readonly ConstraintDefinition[];
  /** Whether a strategy can be evaluated by the application only. */
  readonly isIncomplete: boolean;
  readonly isTruncated: boolean;
}

interface FeatureSources {
  readonly environment: string;
  readonly now: Clock;
  readonly budget: Budget;
  /** Contexts that the user has tried. */
  readonly tried: readonly FlatContext[];
  readonly maxContexts: number;
}

const maxGroups = 20;
/** With one user in each of 100 buckets, the share of one rollout is exact. That of several needs more users. */
const fewDraws = 100;
const manyDraws = 500;
/** With more contexts in which users are split, fewer users are enough. */
const maxContextsWithManyDraws = 20;
/** The steps of an evaluation without its constraints, and of one that is explained. */
const evaluationSteps = 20;
const explanationSteps = 100;

const maxExplanationLength = 300;

const shortened = (text: string): string =>
  text.length > maxExplanationLength ? `${text.slice(0, maxExplanationLength - 1)}…` : text;

type StrategyExplanation = Explanation['strategies'][number];

const isSplittingRollout = ({ condition }: StrategyExplanation): boolean =>
  condition.kind === 'rollout' &&
  condition.bucket !== undefined &&
  condition.percentage > 0 &&
  condition.percentage < 100;

const isTargeted = ({ disabled, constraints, segments }: StrategyExplanation): boolean =>
  !disabled && [...constraints, ...segments].every(({ result }) => result);

/** Whether users in this context are split by a rollout or by variants. */
function splits({ strategies, variant }: Explanation): boolean {
  const targeted = strategies.filter(isTargeted);
  return targeted.some(isSplittingRollout) || (variant !== undefined && !variant.override);
}

/** One state, compiled as far as the feature depends on it. */
interface Side {
  readonly definitions: readonly FeatureDefinition[];
  readonly evaluator: Evaluator;
  readonly conditions: ReturnType<typeof conditionsOf>;
}

/** Compares the decisions of one feature in two states. */
export function* previewFeature(
  name: string,
  states: States,
  sources: FeatureSources,
): Generator<void, FeaturePreview> {
  const { environment, now, budget, tried, maxContexts } = sources;
  const chance = createChance();
  const compile = createCompiler({ now, chance: chance.next });
  function* sideOf(state: EvaluatedState): Generator<void, Side> {
    const definitions = withParents(state, name);
    const segments = segmentsOf(state, definitions);
    const evaluator = yield* compile({ features: definitions, segments });
    // Nothing in the context matters to a feature that is disabled.
    const isEnabled = definitions[0]?.enabled === true;
    const conditions = conditionsOf(isEnabled ? definitions : [], segments);
    return { definitions, evaluator, conditions };
  }
  const before = yield* sideOf(states.before);
  const after = yield* sideOf(states.after);

  const base = { environment };
  const found = yield* findFields([before.conditions, after.conditions], { budget, now, base });
  const { fields } = found;
  const selected = yield* selectCombinations(
    fields,
    [before.conditions, after.conditions],
    maxContexts,
  );
  // The first context of a group is its example, and one that the user tried is the best.
  const contexts: { values: FlatContext; combination?: Combination }[] = [
    ...tried.map((values) => ({ values: { ...base, ...values } })),
    ...selected.combinations.map((combination) => ({
      values: { ...base, ...fixedValues(fields, combination) },
      combination,
    })),
  ];
  const constraints = [before, after].flatMap(({ conditions }) => [
    ...conditions.strategies.flat(),
    ...conditions.others,
  ]);
  const stepsFor = stepsOf(constraints);
  const lengthOf = (values: FlatContext) =>
    Math.max(0, ...Object.values(values).map(({ length }) => length));

  function explain({ evaluator }: Side, { context, draw, draws }: Draw): Explanation {
    chance.begin(draw, draws);
    return evaluator.explain(name, contextOf(context));
  }
  function evaluateBoth(context: Context, draw: number, draws: number) {
    chance.begin(draw, draws);
    const was = before.evaluator.evaluate(name, context);
    chance.begin(draw, draws);
    return { before: was, after: after.evaluator.evaluate(name, context) };
  }
  /** A parent may split users, too. */
  function splitsUsers(side: Side, drawn: Draw): boolean {
    if (splits(explain(side, drawn))) return true;
    return side.definitions
      .slice(1)
      .some((parent) => splits(side.evaluator.explain(parent.name, contextOf(drawn.context))));
  }

  const mayBeRandom = [before, after].some(({ conditions }) => conditions.isRandom);
  const groups = createGroups();
  const splitting: number[] = [];
  let evaluated = 0;
  for (const [number, { values, combination }] of contexts.entries()) {
    if (!budget.take(2 * (explanationSteps + stepsFor(lengthOf(values))))) break;
    const fixed = combination ? drawsOf(fields, combination, new Map(), 1).valuesAt(0) : {};
    const drawn = { context: { ...values, ...fixed }, draw: 0, draws: 1 };
    const isSplit = splitsUsers(before, drawn) || splitsUsers(after, drawn);
    if (isSplit) splitting.push(number);
    else groups.add(number, evaluateBoth(contextOf(drawn.context), 0, 1), drawn);
    evaluated += 1;
    yield;
  }

  const needsMany = [before, after].some(({ definitions }) => countSplits(definitions) > 1);
  const max = needsMany && splitting.length <= maxContextsWithManyDraws ? manyDraws : fewDraws;
  const samples = new Map<string, readonly string[]>();
  if (splitting.length > 0) {
    const definitions = [...after.definitions, ...before.definitions];
    for (const field of fields.filter(({ isSticky }) => isSticky)) {
      samples.set(field.name, yield* sampleValues(field, definitions, max));
    }
  }
  let isCut = evaluated < contexts.length;
  for (const number of splitting) {
    const { values, combination } = contexts[number] as (typeof contexts)[number];
    const sticky = combination && drawsOf(fields, combination, samples, max);
    // Users without a value to split by are split by chance.
    const draws = !sticky ? fewDraws : mayBeRandom || sticky.isMissing ? max : sticky.draws;
    if (!budget.take(2 * draws * (evaluationSteps + stepsFor(lengthOf(values))))) {
      isCut = true;
      break;
    }
    const fixed = contextOf(values);
    for (let draw = 0; draw < draws; draw += 1) {
      const own = sticky?.valuesAt(draw) ?? {};
      const { properties, ...beside } = contextOf(own);
      const context = { ...fixed, ...beside, properties: { ...fixed.properties, ...properties } };
      const drawn = { context: { ...values, ...own }, draw, draws };
      groups.add(number, evaluateBoth(context, draw, draws), drawn);
      yield;
    }
  }

  const isComplete = selected.isComplete && !found.isTruncated && !isCut;
  const all = groups.list();
  const decisionOf = (side: Side, evaluation: Group['before'], example: Draw): Decision => ({
    enabled: evaluation.enabled,
    ...(evaluation.variant.enabled && { variant: evaluation.variant.name }),
    explanation: shortened(decisionWords(explain(side, example), environment)),
  });
  const changeOf = (group: Group): ChangedDecision => {
    const numbers = [...group.shares.keys()];
    const combinations = numbers.flatMap((number) => {
      const combination = contexts[number]?.combination;
      return combination ? [combination] : [];
    });
    const where =
      isComplete && combinations.length > 0 ? describe(fields, combinations) : undefined;
    const percentages = [...group.shares.values()].map((share) => share * 100);
    const [from, to] = [Math.min(...percentages), Math.max(...percentages)].map(Math.round);
    return {
      before: decisionOf(before, group.before, group.example),
      after: decisionOf(after, group.after, group.example),
      payloadChanged: group.payloadChanged,
      contexts: numbers.length,
      tried: numbers.filter((number) => number < tried.length).length,
      ...(from !== undefined && to !== undefined && from < 100 && { share: { from, to } }),
      ...(where && { where }),
      example: group.example.context,
    };
  };
  return {
    contexts: evaluated,
    changedContexts: groups.countChanged(),
    groups: all.slice(0, maxGroups).map(changeOf),
    unmatched: found.unmatched.filter(({ operator }) => operator === 'REGEX'),
    isIncomplete: before.conditions.isIncomplete || after.conditions.isIncomplete,
    isTruncated: !isComplete || all.length > maxGroups,
  };
}
