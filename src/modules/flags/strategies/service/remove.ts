import type { Tx } from '../../../../platform/db/database.ts';
import { refuseTooMuch } from '../../../../platform/volume.ts';
import { record, recordEach } from '../../../events/index.ts';
import { type LockedFeature, placeOf, switchFeatures } from '../../features/index.ts';
import { factsOf, featureStrategyRemoved } from '../events.ts';
import { listEnabled } from '../queries/place.ts';
import { countCharactersIn, deleteStrategies, listStrategiesIn } from '../queries/strategies.ts';
import { getStrategy, switchOffWithout } from './change.ts';
import type { Address } from './place.ts';

export async function removeStrategy(tx: Tx, address: Address, id: string): Promise<void> {
  const { place, strategy } = await getStrategy(tx, address, id);
  const { feature, environment } = place;
  await deleteStrategies(tx, [id]);
  record(
    tx,
    featureStrategyRemoved({ ...placeOf(feature), environment, preData: factsOf(strategy) }),
  );
  await switchOffWithout(tx, place, strategy);
}

/** Leaves locked features without strategies in an environment, and switches them off there. */
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

/** Takes all strategies in an environment from locked features. What being on demands is the caller's. */
export async function withdrawStrategiesIn(
  tx: Tx,
  features: readonly LockedFeature[],
  environment: string,
): Promise<void> {
  const names = features.map(({ name }) => name);
  refuseTooMuch(await countCharactersIn(tx.db, names, environment));
  const strategies = await listStrategiesIn(tx.db, names, environment);
  if (strategies.length > 0) {
    await deleteStrategies(
      tx,
      strategies.map(({ id }) => id),
    );
  }
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  await recordEach(tx, strategies, (strategy) => {
    const place = placeOf(byName.get(strategy.featureName) as LockedFeature);
    return featureStrategyRemoved({ ...place, environment, preData: factsOf(strategy) });
  });
}
