import type { Tx } from '../../../../../platform/db/database.ts';
import { badData } from '../../../../../platform/errors.ts';
import { record } from '../../../../events/index.ts';
import type { EnvironmentAddress } from '../../address-schema.ts';
import { getFeatureInEnvironment } from '../../environments/feature-in-environment.ts';
import { aboutFeature } from '../../lock.ts';
import { strategyOrderChanged } from '../events.ts';
import { listStrategiesIn } from '../read/queries.ts';
import { updateSortOrders } from './queries.ts';

interface StrategySortOrder {
  readonly id: string;
  readonly sortOrder: number;
}

/** The numbers are recorded too: they can change while the order stays. */
const orderOf = (strategies: readonly StrategySortOrder[]) => ({
  strategyIds: strategies.map(({ id }) => id),
  sortOrders: strategies.map(({ sortOrder }) => sortOrder),
});

/** Strategies that are not named keep their sort order. */
export async function orderStrategies(
  tx: Tx,
  address: EnvironmentAddress,
  sortOrders: readonly StrategySortOrder[],
): Promise<void> {
  const { feature, environment } = await getFeatureInEnvironment(tx, address);
  const before = await listStrategiesIn(tx.db, [feature.name], environment);
  const current = new Map(before.map(({ id, sortOrder }) => [id, sortOrder]));
  const faults = sortOrders.flatMap(({ id }, index) =>
    current.has(id)
      ? []
      : [
          {
            path: `/body/${index}/id`,
            message: `The feature '${feature.name}' has no strategy '${id}' in the environment '${environment}'`,
          },
        ],
  );
  if (faults.length > 0) throw badData(faults);
  const changed = sortOrders.filter(({ id, sortOrder }) => current.get(id) !== sortOrder);
  if (changed.length === 0) return;
  await updateSortOrders(tx, changed);
  const after = await listStrategiesIn(tx.db, [feature.name], environment);
  record(
    tx,
    strategyOrderChanged({
      ...aboutFeature(feature),
      environment,
      data: orderOf(after),
      preData: orderOf(before),
    }),
  );
}
