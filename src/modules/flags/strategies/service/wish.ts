import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../../platform/db/database.ts';
import type { Fault } from '../../../../platform/errors.ts';
import { expressionFaults, illegalValueFaults } from '../../../catalogue/context-fields/index.ts';
import { segmentFaults } from '../../../catalogue/segments/index.ts';
import {
  completeStrategy,
  type SetStrategy,
  type StrategyShape,
  strategyTypeFaults,
} from '../../../catalogue/strategy-types/index.ts';
import { type Rules, readRules, type Subjects } from '../queries/rules.ts';
import type { Place } from './place.ts';

/** As much of a place as a strategy takes from it. */
export interface Surroundings {
  readonly feature: Pick<Place['feature'], 'name'>;
  readonly state: Pick<Place['state'], 'defaultStickiness'>;
}

/** Without these no SDK can say for whom a gradual rollout is on. An empty group is one, as it is to the reference. */
export function withUsualParameters<S extends StrategyShape>(
  strategy: S,
  { feature, state }: Surroundings,
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

/** The strategy that a wish asks for, as it is kept in its place. */
export const wished = (wish: SetStrategy, place: Surroundings): StrategyShape =>
  withUsualParameters(completeStrategy(wish), place);

/** Of faults in the items of a list, those in items that a change brings: what was there may stay. */
const inNewItems = (faults: readonly Fault[], path: string, isNew: readonly boolean[]) =>
  faults.filter(({ path: at }) => {
    const index = at?.startsWith(`${path}/`) ? at.slice(path.length + 1).split('/')[0] : undefined;
    return index === undefined || isNew[Number(index)] !== false;
  });

/** A strategy that is asked for, where, and what it was before. */
export interface Asked {
  readonly wish: SetStrategy;
  readonly path: string;
  readonly before?: StrategyShape | undefined;
}

/** What a strategy that is asked for brings that was not there. */
function newsOf({ wish, before }: Asked) {
  const { name, parameters, constraints } = completeStrategy(wish);
  const known = new Set(before?.constraints.map((constraint) => JSON.stringify(constraint)));
  return {
    ...{ name, parameters, constraints },
    isOtherType: before?.name !== name || !isDeepStrictEqual(before.parameters, parameters),
    isNewConstraint: constraints.map((constraint) => !known.has(JSON.stringify(constraint))),
  };
}

/** Of what one has to know the rules to tell whether strategies keep them. */
export function subjectsOf(asked: readonly Asked[]): Subjects {
  const news = asked.map(newsOf);
  const types = news.filter(({ isOtherType }) => isOtherType).map(({ name }) => name);
  const fields = news
    .filter(({ isNewConstraint }) => isNewConstraint.includes(true))
    .flatMap(({ constraints }) => constraints.map(({ contextName }) => contextName));
  return { types: [...new Set(types)], fields: [...new Set(fields)] };
}

/** What the types of strategies and the legal values of context fields have against a strategy. */
export function ruleFaults({ types, legalValues }: Rules, asked: Asked): Fault[] {
  const { constraints, isOtherType, isNewConstraint, ...strategy } = newsOf(asked);
  const at = `${asked.path}/constraints`;
  const illegal = isNewConstraint.includes(true)
    ? illegalValueFaults(legalValues, constraints, at)
    : [];
  return [
    ...(isOtherType ? strategyTypeFaults(types.get(strategy.name), strategy, asked.path) : []),
    ...expressionFaults(constraints, at, asked.before?.constraints),
    ...inNewItems(illegal, at, isNewConstraint),
  ];
}

/**
 * What only the database can tell of a strategy that is asked for, all at once. Of a change it looks
 * at what is changed: rules that became stricter meanwhile do not keep anybody from the rest.
 */
export async function strategyWishFaults(
  tx: Tx,
  wish: SetStrategy,
  project: string,
  path: string,
  before?: StrategyShape,
): Promise<Fault[]> {
  const asked = { wish, path, before };
  const faults = ruleFaults(await readRules(tx.db, subjectsOf([asked])), asked);
  const segments = wish.segments ?? [];
  const found = await newSegmentFaults(tx, segments, project, `${path}/segments`, before);
  return [...faults, ...found];
}

/** What keeps a strategy from being given segments that it does not have yet. */
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
