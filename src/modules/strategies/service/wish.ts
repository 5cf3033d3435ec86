import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../platform/db/database.ts';
import type { Fault } from '../../../platform/errors.ts';
import { legalValueFaults } from '../../context/index.ts';
import { segmentFaults } from '../../segments/index.ts';
import {
  completeStrategy,
  type SetStrategy,
  type StrategyShape,
  strategyTypeFaults,
} from '../../strategy-types/index.ts';
import type { Place } from './place.ts';

/** As much of a place as a strategy takes from it. */
interface Surroundings {
  readonly feature: Pick<Place['feature'], 'name'>;
  readonly state: Pick<Place['state'], 'defaultStickiness'>;
}

/** Without these no SDK can say for whom a gradual rollout is on; empty ones say nothing. */
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
      groupId: groupId || feature.name,
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
  const { name, parameters, constraints } = completeStrategy(wish);
  const faults: Fault[] = [];

  if (before?.name !== name || !isDeepStrictEqual(before.parameters, parameters)) {
    faults.push(...(await strategyTypeFaults(tx.db, { name, parameters }, path)));
  }

  const known = new Set(before?.constraints.map((constraint) => JSON.stringify(constraint)));
  const newConstraints = constraints.map((constraint) => !known.has(JSON.stringify(constraint)));
  if (newConstraints.includes(true)) {
    const at = `${path}/constraints`;
    const found = await legalValueFaults(tx.db, constraints, at);
    faults.push(...inNewItems(found, at, newConstraints));
  }

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
