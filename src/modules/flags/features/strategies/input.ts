import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../../platform/db/database.ts';
import type { Fault } from '../../../../platform/errors.ts';
import {
  constraintFaults,
  expressionFaults,
  illegalValueFaults,
} from '../../../catalogue/context-fields/index.ts';
import { segmentFaults } from '../../../catalogue/segments/index.ts';
import {
  completeStrategy,
  type SetStrategy,
  type StrategyShape,
  strategyFaults,
  strategyTypeFaults,
} from '../../../catalogue/strategy-types/index.ts';
import type { FeatureInEnvironment } from '../environments/feature-in-environment.ts';
import { type RuleNames, type Rules, readRules } from './rules.ts';

/** The sources of missing strategy parameters. */
export interface StrategyOwner {
  readonly feature: Pick<FeatureInEnvironment['feature'], 'name'>;
  readonly state: Pick<FeatureInEnvironment['state'], 'defaultStickiness'>;
}

/** Checks a strategy for faults that neither the schema nor the database finds. */
export const inputFaults = (
  input: Partial<SetStrategy>,
  path = '/body',
  readExpression?: Parameters<typeof constraintFaults>[2],
): Fault[] => [
  ...strategyFaults(input, path),
  ...constraintFaults(input.constraints ?? [], `${path}/constraints`, readExpression),
];

/** No SDK can evaluate a gradual rollout without these. An empty group id is kept, as the reference keeps it. */
export function withUsualParameters<S extends StrategyShape>(
  strategy: S,
  { feature, state }: StrategyOwner,
): S {
  if (strategy.name !== 'flexibleRollout') return strategy;
  const { rollout, stickiness, groupId, ...others } = strategy.parameters;
  return {
    ...strategy,
    parameters: {
      rollout: rollout ?? '100',
      stickiness: stickiness || state.defaultStickiness,
      groupId: groupId ?? feature.name,
      ...others,
    },
  };
}

/** The strategy as it is stored. */
export const strategyFromInput = (
  input: SetStrategy,
  owner: StrategyOwner,
  options?: Parameters<typeof completeStrategy>[1],
): StrategyShape => withUsualParameters(completeStrategy(input, options), owner);

/** Leaves out faults in items of a list that were there before the change: they may stay. */
const inNewItems = (faults: readonly Fault[], path: string, isNew: readonly boolean[]) =>
  faults.filter(({ path: at }) => {
    const index = at?.startsWith(`${path}/`) ? at.slice(path.length + 1).split('/')[0] : undefined;
    return index === undefined || isNew[Number(index)] !== false;
  });

export interface StrategyInput {
  readonly input: SetStrategy;
  /** Its path in the request. */
  readonly path: string;
  /** The strategy that the input changes. */
  readonly before?: StrategyShape | undefined;
}

/** The parts that differ from the previous strategy. */
function changesOf({ input, before }: StrategyInput) {
  const { name, parameters, constraints } = completeStrategy(input);
  const existing = new Set(before?.constraints.map((constraint) => JSON.stringify(constraint)));
  return {
    ...{ name, parameters, constraints },
    isOtherType: before?.name !== name || !isDeepStrictEqual(before.parameters, parameters),
    isNewConstraint: constraints.map((constraint) => !existing.has(JSON.stringify(constraint))),
  };
}

/** The rules that the inputs have to be checked against. */
export function ruleNamesOf(inputs: readonly StrategyInput[]): RuleNames {
  const changes = inputs.map(changesOf);
  const types = changes.filter(({ isOtherType }) => isOtherType).map(({ name }) => name);
  const fields = changes
    .filter(({ isNewConstraint }) => isNewConstraint.includes(true))
    .flatMap(({ constraints }) => constraints.map(({ contextName }) => contextName));
  return { types: [...new Set(types)], fields: [...new Set(fields)] };
}

/** Breaches of strategy types and of the legal values of context fields. */
export function ruleFaults({ types, legalValues }: Rules, change: StrategyInput): Fault[] {
  const { constraints, isOtherType, isNewConstraint, ...strategy } = changesOf(change);
  const at = `${change.path}/constraints`;
  const illegal = isNewConstraint.includes(true)
    ? illegalValueFaults(legalValues, constraints, at)
    : [];
  return [
    ...(isOtherType ? strategyTypeFaults(types.get(strategy.name), strategy, change.path) : []),
    ...expressionFaults(constraints, at, change.before?.constraints),
    ...inNewItems(illegal, at, isNewConstraint),
  ];
}

/**
 * Everything that only the database can find wrong with an input. Checks only what is changed, so that
 * rules which became stricter since do not block other changes.
 */
export async function storedInputFaults(
  tx: Tx,
  input: SetStrategy,
  project: string,
  path: string,
  before?: StrategyShape,
): Promise<Fault[]> {
  const change = { input, path, before };
  const faults = ruleFaults(await readRules(tx.db, ruleNamesOf([change])), change);
  const segments = input.segments ?? [];
  const found = await newSegmentFaults(tx, segments, project, `${path}/segments`, before);
  return [...faults, ...found];
}

/** Faults of segments that the strategy does not have yet. */
export async function newSegmentFaults(
  tx: Tx,
  segments: readonly number[],
  project: string,
  path: string,
  before?: StrategyShape,
): Promise<Fault[]> {
  const isNew = segments.map((id) => !before?.segments.includes(id));
  if (!isNew.includes(true)) return [];
  return inNewItems(await segmentFaults(tx, segments, project, path), path, isNew);
}
