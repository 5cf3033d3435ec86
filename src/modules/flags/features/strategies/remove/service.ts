import type { Tx } from '../../../../../platform/db/database.ts';
import { refuseLargeTransaction } from '../../../../../platform/volume.ts';
import { record, recordEach } from '../../../../events/index.ts';
import type { EnvironmentAddress } from '../../address-schema.ts';
import { listEnabled } from '../../environments/queries.ts';
import { switchFeatures } from '../../environments/state.ts';
import { aboutFeature, type LockedFeature } from '../../lock.ts';
import { getStrategy, switchOffWithout } from '../change/service.ts';
import { factsOf, featureStrategyRemoved } from '../events.ts';
import { countCharactersIn, listStrategiesIn } from '../read/queries.ts';
import { deleteStrategies } from './queries.ts';

export async function removeStrategy(
  tx: Tx,
  address: EnvironmentAddress,
  id: string,
): Promise<void> {
  const { owner, strategy } = await getStrategy(tx, address, id);
  const { feature, environment } = owner;
  await deleteStrategies(tx, [id]);
  record(
    tx,
    featureStrategyRemoved({ ...aboutFeature(feature), environment, preData: factsOf(strategy) }),
  );
  await switchOffWithout(tx, owner, strategy);
}

/** Removes all strategies of locked features in an environment, and switches the features off there. */
export async function removeStrategiesIn(
  tx: Tx,
  features: readonly LockedFeature[],
  environment: string,
): Promise<void> {
  await withdrawStrategiesIn(tx, features, environment);
  const names = features.map(({ name }) => name);
  const enabled = new Set(await listEnabled(tx.db, names, environment));
  const on = features.filter(({ name }) => enabled.has(name));
  await switchFeatures(tx, on, environment, false);
}

/** Does not switch off. A caller that leaves a feature on without a strategy has to add one. */
export async function withdrawStrategiesIn(
  tx: Tx,
  features: readonly LockedFeature[],
  environment: string,
): Promise<void> {
  const names = features.map(({ name }) => name);
  refuseLargeTransaction(await countCharactersIn(tx.db, names, environment));
  const strategies = await listStrategiesIn(tx.db, names, environment);
  if (strategies.length > 0) {
    await deleteStrategies(
      tx,
      strategies.map(({ id }) => id),
    );
  }
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  await recordEach(tx, strategies, (strategy) =>
    featureStrategyRemoved({
      ...aboutFeature(byName.get(strategy.featureName) as LockedFeature),
      environment,
      preData: factsOf(strategy),
    }),
  );
}
