import { randomUUID } from 'node:crypto';
import { explained } from '../../../../platform/db/constraint.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation } from '../../../../platform/errors.ts';
import { refuseTooMuch } from '../../../../platform/volume.ts';
import type { SetStrategy, StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import { record } from '../../../events/index.ts';
import { type LockedFeature, placeOf, type Strategy } from '../../features/index.ts';
import { maxStrategies } from '../contract/strategies.ts';
import { factsOf, featureStrategyAdded } from '../events.ts';
import { insertSegments, insertStrategies } from '../queries/strategies.ts';
import { type Address, getPlace, type Place } from './place.ts';
import { strategyWishFaults, wished } from './wish.ts';

export async function addStrategy(tx: Tx, address: Address, wish: SetStrategy): Promise<Strategy> {
  const place = await getPlace(tx, address);
  const faults = await strategyWishFaults(tx, wish, place.feature.project, '/body');
  if (faults.length > 0) throw badData(faults);
  refuseTooMany(place);
  const strategy = {
    ...wished(wish, place),
    sortOrder: wish.sortOrder ?? place.state.nextPlace,
  };
  const [added] = await addStrategiesTo(tx, [{ ...place, strategy }]);
  return added as Strategy;
}

/** As much of a place as has room for strategies. */
interface Room {
  readonly feature: Pick<LockedFeature, 'name'>;
  readonly environment: string;
  readonly state: Pick<Place['state'], 'strategies'>;
}

export function refuseTooMany({ feature, environment, state }: Room): void {
  if (state.strategies < maxStrategies) return;
  throw invalidOperation(
    `The feature '${feature.name}' has ${state.strategies} strategies in the environment '${environment}': at most ${maxStrategies} are allowed`,
  );
}

/** Adds strategies as they are, with ids of their own, to a feature that the caller has locked or made. */
export const addStrategies = (
  tx: Tx,
  feature: LockedFeature,
  strategies: readonly ({ readonly environment: string } & StrategyShape)[],
): Promise<Strategy[]> =>
  addStrategiesTo(
    tx,
    strategies.map(({ environment, ...strategy }) => ({ feature, environment, strategy })),
  );

interface Addition<Owner = LockedFeature> {
  readonly feature: Owner;
  readonly environment: string;
  readonly strategy: StrategyShape;
}

/** The same for many features, in the order of the list: two statements for any number of them. */
export async function addStrategiesTo(tx: Tx, additions: readonly Addition[]): Promise<Strategy[]> {
  const strategies = await writeStrategies(tx, additions);
  for (const [index, { feature, environment }] of additions.entries()) {
    recordAdded(tx, feature, environment, strategies[index] as Strategy);
  }
  return strategies;
}

/**
 * Strategies of one feature in one environment that have the same sort order are told apart by their age: the last one
 * is of this moment, and each before it a millisecond older, so that none is dated ahead.
 */
function agesOf(additions: readonly Addition<{ readonly name: string }>[]): number[] {
  const behind = new Map<string, number>();
  return additions
    .toReversed()
    .map(({ feature, environment }) => {
      const key = JSON.stringify([feature.name, environment]);
      const age = behind.get(key) ?? 0;
      behind.set(key, age + 1);
      return age;
    })
    .reverse();
}

/** Writes them without a word: the caller records each, among what else happens to its feature. */
export async function writeStrategies(
  tx: Tx,
  additions: readonly Addition<{ readonly name: string }>[],
  typePath = '/body/name',
): Promise<Strategy[]> {
  if (additions.length === 0) return [];
  refuseTooMuch(additions.map(({ strategy }) => strategy));
  const ages = agesOf(additions);
  const added = additions.map(({ feature, environment, strategy }, index) => ({
    ...strategy,
    id: randomUUID() as string,
    featureName: feature.name,
    environment,
    createdAt: new Date(tx.now.getTime() - (ages[index] ?? 0)),
  }));
  await explained(insertStrategies(tx, added), {
    feature_strategies_name_fkey: () =>
      badData([{ path: typePath, message: 'This type of strategy has just been deleted' }]),
  });
  if (added.some(({ segments }) => segments.length > 0)) await addSegments(tx, added);
  return added.map(({ environment, createdAt, ...strategy }) => strategy);
}

export function recordAdded(
  tx: Tx,
  feature: LockedFeature,
  environment: string,
  strategy: Strategy,
): void {
  const event = { ...placeOf(feature), environment, data: factsOf(strategy) };
  record(tx, featureStrategyAdded(event));
}

export const addSegments = (tx: Tx, strategies: readonly Pick<Strategy, 'id' | 'segments'>[]) =>
  explained(insertSegments(tx, strategies), {
    feature_strategy_segments_segment_fkey: () =>
      badData([{ path: '/body/segments', message: 'One of the segments has just been deleted' }]),
  });
