import type { Tx } from '../../../../platform/db/database.ts';
import { badData } from '../../../../platform/errors.ts';
import { record } from '../../../events/index.ts';
import { placeOf } from '../../features/index.ts';
import { strategyOrderChanged } from '../events.ts';
import { listStrategiesIn, updateOrder } from '../queries/strategies.ts';
import { type Address, getPlace } from './place.ts';

interface Wish {
  readonly id: string;
  readonly sortOrder: number;
}

/** Their places too: they can change while the order stays. */
const orderOf = (strategies: readonly Wish[]) => ({
  strategyIds: strategies.map(({ id }) => id),
  sortOrders: strategies.map(({ sortOrder }) => sortOrder),
});

/** Gives strategies their places; those that are not named keep theirs. */
export async function orderStrategies(
  tx: Tx,
  address: Address,
  wishes: readonly Wish[],
): Promise<void> {
  const { feature, environment } = await getPlace(tx, address);
  const before = await listStrategiesIn(tx.db, [feature.name], environment);
  const current = new Map(before.map(({ id, sortOrder }) => [id, sortOrder]));
  const faults = wishes.flatMap(({ id }, index) =>
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
  const moved = wishes.filter(({ id, sortOrder }) => current.get(id) !== sortOrder);
  if (moved.length === 0) return;
  await updateOrder(tx, moved);
  const after = await listStrategiesIn(tx.db, [feature.name], environment);
  record(
    tx,
    strategyOrderChanged({
      ...placeOf(feature),
      environment,
      data: orderOf(after),
      preData: orderOf(before),
    }),
  );
}
