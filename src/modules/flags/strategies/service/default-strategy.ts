import type { Tx } from '../../../../platform/db/database.ts';
import { type Fault, invalidOperation } from '../../../../platform/errors.ts';
import { demand } from '../../../../platform/permission.ts';
import { getDefaultStrategy } from '../../../catalogue/projects/index.ts';
import { segmentFaults } from '../../../catalogue/segments/index.ts';
import type { StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import { recordEach } from '../../../events/index.ts';
import { type LockedFeature, placeOf } from '../../features/index.ts';
import { factsOf, featureStrategyUpdated } from '../events.ts';
import { listStrategiesIn, updateEnabled } from '../queries/strategies.ts';
import { addStrategiesTo, refuseTooMany } from './add.ts';
import type { Place } from './place.ts';
import { type Surroundings, withUsualParameters } from './wish.ts';

/** Enables the disabled strategies of features in one environment. */
export async function enableStrategies(tx: Tx, places: readonly Place[]): Promise<void> {
  const [first] = places;
  if (!first) return;
  const { environment } = first;
  const features = new Map(places.map(({ feature }) => [feature.name, feature]));
  const strategies = await listStrategiesIn(tx.db, [...features.keys()], environment);
  const disabled = strategies.filter((strategy) => strategy.disabled);
  await updateEnabled(
    tx,
    disabled.map(({ id }) => id),
  );
  await recordEach(tx, disabled, (strategy) =>
    featureStrategyUpdated({
      ...placeOf(features.get(strategy.featureName) as LockedFeature),
      environment,
      data: factsOf({ ...strategy, disabled: false }),
      preData: factsOf(strategy),
    }),
  );
}

/** What is on needs a strategy: these features get the one that their project has for it, enabled. */
export async function addDefaultStrategy(tx: Tx, places: readonly Place[]): Promise<void> {
  const [first] = places;
  if (!first) return;
  const { project } = first.feature;
  const { environment } = first;
  demand(tx.actor, 'CREATE_FEATURE_STRATEGY', project, environment);
  for (const place of places) refuseTooMany(place);
  const strategy = await getDefaultStrategy(tx.db, { project, environment });
  await refuseLostSegments(tx, first, strategy);
  await addStrategiesTo(
    tx,
    places.map((place) => ({
      ...place,
      strategy: givenByDefault(strategy, place),
    })),
  );
}

/** The default strategy of a project, as a feature that has to have one gets it: without a group, in one of its own. */
export function givenByDefault(
  strategy: StrategyShape,
  place: Surroundings & { readonly state: Pick<Place['state'], 'nextPlace'> },
): StrategyShape {
  const { groupId, ...others } = strategy.parameters;
  const parameters = groupId ? strategy.parameters : others;
  const given = { ...strategy, parameters, disabled: false, sortOrder: place.state.nextPlace };
  return withUsualParameters(given, place);
}

async function refuseLostSegments(
  tx: Tx,
  { feature, environment }: Place,
  { segments }: StrategyShape,
): Promise<void> {
  if (segments.length === 0) return;
  refuseLost(environment, await segmentFaults(tx, segments, feature.project, '/segments'));
}

/** Without a segment that it was meant to have, the strategy would be for more people than anybody wanted. */
export function refuseLost(environment: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  throw invalidOperation(
    `The default strategy of the environment '${environment}' cannot be used: ${faults.map(({ message }) => message).join('; ')}`,
  );
}
