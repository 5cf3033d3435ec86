import type { Clock } from '../../../platform/clock.ts';
import type { ConstraintDefinition } from '../evaluation/index.ts';
import { contextOf, type FlatContext } from '../playground/index.ts';
import { type BothStates, compileBoth } from './both-states.ts';
import { type Budget, stepsOf } from './budget.ts';
import { type ChangedDecision, presentGroup } from './changed-decision.ts';
import { type Combination, fixedValues, selectCombinations } from './combinations.ts';
import { createGroups } from './decision-groups.ts';
import { type Field, findFields } from './fields.ts';
import { countSplits, drawsOf, sampleValues } from './sampling.ts';
import type { States } from './state.ts';

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
  readonly maxGroups: number;
}

/** With one user in each of 100 buckets, the share of one rollout is exact. That of several needs more users. */
const fewDraws = 100;
const manyDraws = 500;
/** With more contexts in which users are split, fewer users are enough. */
const maxContextsWithManyDraws = 20;
/** The steps of an evaluation without its constraints, and of one that is explained. */
const evaluationSteps = 20;
const explanationSteps = 100;

/** A context without the values of its sticky fields. */
interface SampleContext {
  readonly values: FlatContext;
  /** Undefined for a context that the user tried. */
  readonly combination?: Combination;
}

const lengthOf = (values: FlatContext): number =>
  Math.max(0, ...Object.values(values).map(({ length }) => length));

/** Evaluates contexts in both states until the budget is used up. */
function* compareContexts(
  contexts: readonly SampleContext[],
  fields: readonly Field[],
  both: BothStates,
  budget: Budget,
) {
  const { before, after, evaluate, splitsUsers } = both;
  const sides = [before, after];
  const stepsFor = stepsOf(
    sides.flatMap(({ conditions }) => [...conditions.strategies.flat(), ...conditions.others]),
  );
  const groups = createGroups();
  const splitting: number[] = [];
  let evaluated = 0;
  for (const [number, { values, combination }] of contexts.entries()) {
    if (!budget.take(2 * (explanationSteps + stepsFor(lengthOf(values))))) break;
    const sticky = combination && drawsOf(fields, combination, new Map(), 1).valuesAt(0);
    const draw = { context: { ...values, ...sticky }, draw: 0, draws: 1 };
    if (splitsUsers(draw)) splitting.push(number);
    else groups.add(number, evaluate(contextOf(draw.context), 0, 1), draw);
    evaluated += 1;
    yield;
  }
  let isCut = evaluated < contexts.length;

  const isRandom = sides.some(({ conditions }) => conditions.isRandom);
  const needsMany = sides.some(({ definitions }) => countSplits(definitions) > 1);
  const max = needsMany && splitting.length <= maxContextsWithManyDraws ? manyDraws : fewDraws;
  const samples = new Map<string, readonly string[]>();
  for (const field of splitting.length > 0 ? fields.filter(({ isSticky }) => isSticky) : []) {
    const definitions = [...after.definitions, ...before.definitions];
    samples.set(field.name, yield* sampleValues(field, definitions, max));
  }
  for (const number of splitting) {
    const { values, combination } = contexts[number] as SampleContext;
    const sticky = combination && drawsOf(fields, combination, samples, max);
    // Users without a value to split by are split by chance.
    const draws = !sticky ? fewDraws : isRandom || sticky.isMissing ? max : sticky.draws;
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
      groups.add(number, evaluate(context, draw, draws), drawn);
      yield;
    }
  }
  return { groups, evaluated, isCut };
}

/** Compares the decisions of one feature in two states. */
export function* previewFeature(
  name: string,
  states: States,
  { environment, now, budget, tried, maxContexts, maxGroups }: FeatureSources,
): Generator<void, FeaturePreview> {
  const both = yield* compileBoth(name, states, now);
  const conditions = [both.before.conditions, both.after.conditions] as const;
  const base = { environment };
  const { fields, unmatched, isTruncated } = yield* findFields(conditions, { budget, now, base });
  const selected = yield* selectCombinations(fields, conditions, maxContexts);
  // The first context of a group is its example, and one that the user tried is the best.
  const contexts: SampleContext[] = [
    ...tried.map((values) => ({ values: { ...base, ...values } })),
    ...selected.combinations.map((combination) => ({
      values: { ...base, ...fixedValues(fields, combination) },
      combination,
    })),
  ];
  const { groups, evaluated, isCut } = yield* compareContexts(contexts, fields, both, budget);
  const isComplete = selected.isComplete && !isTruncated && !isCut;
  const combinationOf = (context: number) => contexts[context]?.combination;
  const all = groups.list();
  return {
    contexts: evaluated,
    changedContexts: groups.countChanged(),
    groups: all
      .slice(0, maxGroups)
      .map((group) =>
        presentGroup(group, { environment, both, fields, combinationOf, isComplete }),
      ),
    unmatched: unmatched.filter(({ operator }) => operator === 'REGEX'),
    isIncomplete: conditions.some((each) => each.isIncomplete),
    isTruncated: !isComplete || all.length > maxGroups,
  };
}
