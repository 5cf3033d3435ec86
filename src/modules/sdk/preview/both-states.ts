import type { Clock } from '../../../platform/clock.ts';
import {
  type Context,
  createCompiler,
  type Evaluator,
  type Explanation,
  type FeatureDefinition,
} from '../evaluation/index.ts';
import { contextOf } from '../playground/index.ts';
import { type Conditions, conditionsOf } from './conditions.ts';
import type { Draw, Pair } from './decision-groups.ts';
import { createChance } from './sampling.ts';
import { type EvaluatedState, type States, segmentsOf, withParents } from './state.ts';

/** One state, as far as a feature depends on it. */
export interface Side {
  /** The feature and its parents. */
  readonly definitions: readonly FeatureDefinition[];
  readonly evaluator: Evaluator;
  readonly conditions: Conditions;
}

/** A feature in both states. */
export interface BothStates {
  readonly before: Side;
  readonly after: Side;
  readonly explain: (side: Side, draw: Draw) => Explanation;
  readonly evaluate: (context: Context, draw: number, draws: number) => Pair;
  /** Whether users in this context are split by a rollout or by variants, in one of the states. */
  readonly splitsUsers: (draw: Draw) => boolean;
}

type StrategyExplanation = Explanation['strategies'][number];

const isSplittingRollout = ({ condition }: StrategyExplanation): boolean =>
  condition.kind === 'rollout' &&
  condition.bucket !== undefined &&
  condition.percentage > 0 &&
  condition.percentage < 100;

const isTargeted = ({ disabled, constraints, segments }: StrategyExplanation): boolean =>
  !disabled && [...constraints, ...segments].every(({ result }) => result);

function splits({ strategies, variant }: Explanation): boolean {
  const targeted = strategies.filter(isTargeted);
  return targeted.some(isSplittingRollout) || (variant !== undefined && !variant.override);
}

/** Compiles a feature with its parents and segments in both states. */
export function* compileBoth(
  name: string,
  states: States,
  now: Clock,
): Generator<void, BothStates> {
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

  const explain = ({ evaluator }: Side, { context, draw, draws }: Draw): Explanation => {
    chance.begin(draw, draws);
    return evaluator.explain(name, contextOf(context));
  };
  return {
    before,
    after,
    explain,
    evaluate(context, draw, draws) {
      chance.begin(draw, draws);
      const was = before.evaluator.evaluate(name, context);
      chance.begin(draw, draws);
      return { before: was, after: after.evaluator.evaluate(name, context) };
    },
    splitsUsers(draw) {
      const context = contextOf(draw.context);
      return [before, after].some((side) => {
        if (splits(explain(side, draw))) return true;
        const [, ...parents] = side.definitions;
        return parents.some((parent) => splits(side.evaluator.explain(parent.name, context)));
      });
    },
  };
}
