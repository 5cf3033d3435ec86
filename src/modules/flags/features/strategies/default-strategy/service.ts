import type { Tx } from '../../../../../platform/db/database.ts';
import { type Fault, invalidOperation } from '../../../../../platform/errors.ts';
import { demand } from '../../../../../platform/permission.ts';
import { getDefaultStrategy } from '../../../../catalogue/projects/index.ts';
import { segmentFaults } from '../../../../catalogue/segments/index.ts';
import type { StrategyShape } from '../../../../catalogue/strategy-types/index.ts';
import { recordEach } from '../../../../events/index.ts';
import { addParts } from '../../assemble/service.ts';
import type { FeatureInEnvironment } from '../../environments/feature-in-environment.ts';
import { aboutFeature, type LockedFeature } from '../../lock.ts';
import { refuseTooMany } from '../add/service.ts';
import { factsOf, featureStrategyUpdated } from '../events.ts';
import { type StrategyOwner, withUsualParameters } from '../input.ts';
import { listStrategiesIn } from '../read/queries.ts';
import { updateEnabled } from './queries.ts';

/** Enables the disabled strategies of features in one environment. */
export async function enableStrategies(
  tx: Tx,
  owners: readonly FeatureInEnvironment[],
): Promise<void> {
  const [first] = owners;
  if (!first) return;
  const { environment } = first;
  const features = new Map(owners.map(({ feature }) => [feature.name, feature]));
  const strategies = await listStrategiesIn(tx.db, [...features.keys()], environment);
  const disabled = strategies.filter((strategy) => strategy.disabled);
  await updateEnabled(
    tx,
    disabled.map(({ id }) => id),
  );
  await recordEach(tx, disabled, (strategy) =>
    featureStrategyUpdated({
      ...aboutFeature(features.get(strategy.featureName) as LockedFeature),
      environment,
      data: factsOf({ ...strategy, disabled: false }),
      preData: factsOf(strategy),
    }),
  );
}

/** A feature that is switched on needs an enabled strategy: adds the default strategy of the project. */
export async function addDefaultStrategy(
  tx: Tx,
  owners: readonly FeatureInEnvironment[],
): Promise<void> {
  const [first] = owners;
  if (!first) return;
  const { project } = first.feature;
  const { environment } = first;
  demand(tx.actor, 'CREATE_FEATURE_STRATEGY', project, environment);
  for (const owner of owners) refuseTooMany(owner);
  const strategy = await getDefaultStrategy(tx.db, { project, environment });
  await checkSegments(tx, first, strategy);
  await addParts(
    tx,
    owners.map((owner) => ({
      feature: owner.feature,
      eventOrder: [[{ environment, strategy: defaultStrategyFor(strategy, owner) }]],
    })),
  );
}

/** The default strategy of a project, enabled and last. Without a group id it gets that of the feature. */
export function defaultStrategyFor(
  strategy: StrategyShape,
  owner: StrategyOwner & { readonly state: Pick<FeatureInEnvironment['state'], 'nextSortOrder'> },
): StrategyShape {
  const { groupId, ...others } = strategy.parameters;
  const parameters = groupId ? strategy.parameters : others;
  const given = { ...strategy, parameters, disabled: false, sortOrder: owner.state.nextSortOrder };
  return withUsualParameters(given, owner);
}

async function checkSegments(
  tx: Tx,
  { feature, environment }: FeatureInEnvironment,
  { segments }: StrategyShape,
): Promise<void> {
  if (segments.length === 0) return;
  refuseLostSegments(environment, await segmentFaults(tx, segments, feature.project, '/segments'));
}

/** Without one of its segments the strategy would be on for more people than intended. */
export function refuseLostSegments(environment: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  throw invalidOperation(
    `The default strategy of the environment '${environment}' cannot be used: ${faults.map(({ message }) => message).join('; ')}`,
  );
}
