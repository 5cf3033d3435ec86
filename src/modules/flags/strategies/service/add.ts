import { randomUUID } from 'node:crypto';
import { explained } from '../../../../platform/db/constraint.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation } from '../../../../platform/errors.ts';
import { inPortions } from '../../../../platform/volume.ts';
import type { SetStrategy, StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import { record, recordEach } from '../../../events/index.ts';
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

interface Named {
  readonly name: string;
}

interface Addition<Owner = LockedFeature> {
  readonly feature: Owner;
  readonly environment: string;
  readonly strategy: StrategyShape;
}

/** The same for many features, in the order of the list: two statements for thousands of them, unless they are large. */
export async function addStrategiesTo(tx: Tx, additions: readonly Addition[]): Promise<Strategy[]> {
  const strategies: Strategy[] = [];
  for (const portion of await inPortions(dated(tx, additions), ({ strategy }) => strategy)) {
    const written = await write(tx, portion);
    for (const strategy of written) strategies.push(strategy);
  }
  const added = additions.map((addition, index) => ({
    ...addition,
    strategy: strategies[index] as Strategy,
  }));
  await recordEach(tx, added, ({ feature, environment, strategy }) =>
    addedEvent(feature, environment, strategy),
  );
  return strategies;
}

/**
 * Strategies of one feature in one environment that have the same sort order are told apart by their age: the last one
 * is of this moment, and each before it a millisecond older, so that none is dated ahead.
 */
function dated<Each extends Addition<Named>>({ now }: Tx, additions: readonly Each[]) {
  const behind = new Map<string, number>();
  return additions
    .toReversed()
    .map((addition) => {
      const key = JSON.stringify([addition.feature.name, addition.environment]);
      const age = behind.get(key) ?? 0;
      behind.set(key, age + 1);
      return { ...addition, createdAt: new Date(now.getTime() - age) };
    })
    .reverse();
}

/** Writes those of one request without a word: the caller records each, among what else happens to its feature. */
export const writeStrategies = (
  tx: Tx,
  additions: readonly Addition<Named>[],
  typePath?: string,
): Promise<Strategy[]> => write(tx, dated(tx, additions), typePath);

async function write(
  tx: Tx,
  additions: readonly (Addition<Named> & { readonly createdAt: Date })[],
  typePath = '/body/name',
): Promise<Strategy[]> {
  if (additions.length === 0) return [];
  const added = additions.map(({ feature, environment, strategy, createdAt }) => ({
    ...strategy,
    id: randomUUID() as string,
    featureName: feature.name,
    environment,
    createdAt,
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
  record(tx, addedEvent(feature, environment, strategy));
}

const addedEvent = (feature: LockedFeature, environment: string, strategy: Strategy) =>
  featureStrategyAdded({ ...placeOf(feature), environment, data: factsOf(strategy) });

export const addSegments = (tx: Tx, strategies: readonly Pick<Strategy, 'id' | 'segments'>[]) =>
  explained(insertSegments(tx, strategies), {
    feature_strategy_segments_segment_fkey: () =>
      badData([{ path: '/body/segments', message: 'One of the segments has just been deleted' }]),
  });
