import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../../../platform/db/database.ts';
import { badData } from '../../../../../platform/errors.ts';
import { record } from '../../../../events/index.ts';
import type { EnvironmentAddress } from '../../address-schema.ts';
import {
  type FeatureInEnvironment,
  getFeatureInEnvironment,
} from '../../environments/feature-in-environment.ts';
import { aboutFeature } from '../../lock.ts';
import { strategyOrderChanged } from '../events.ts';
import { listStrategiesIn } from '../read/queries.ts';
import { updateAges, updateSortOrders } from './queries.ts';

interface StrategySortOrder {
  readonly id: string;
  readonly sortOrder: number;
}

/** The numbers are recorded too: they can change while the order stays. */
const orderOf = (strategies: readonly StrategySortOrder[]) => ({
  strategyIds: strategies.map(({ id }) => id),
  sortOrders: strategies.map(({ sortOrder }) => sortOrder),
});

const isListedAs = (listed: readonly StrategySortOrder[], wanted: readonly StrategySortOrder[]) =>
  isDeepStrictEqual(orderOf(listed), orderOf(wanted));

/**
 * After one of the strategies got another sort order: those with the same one stay in this order, as the log tells it,
 * also if they were created in another.
 */
export async function keepOrder(tx: Tx, strategies: readonly StrategySortOrder[]): Promise<void> {
  if (new Set(strategies.map(({ sortOrder }) => sortOrder)).size === strategies.length) return;
  const listed = strategies.toSorted((a, b) => a.sortOrder - b.sortOrder);
  await updateAges(
    tx,
    listed.map(({ id }) => id),
  );
}

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
  recordOrder(tx, { feature, environment }, before, after);
}

/** Gives all strategies of a feature the order that they had, also those with the same sort order. */
export async function restoreOrder(
  tx: Tx,
  address: EnvironmentAddress,
  wanted: readonly StrategySortOrder[],
): Promise<void> {
  const { feature, environment } = await getFeatureInEnvironment(tx, address);
  const list = () => listStrategiesIn(tx.db, [feature.name], environment);
  const before = await list();
  if (isListedAs(before, wanted)) return;
  await updateSortOrders(tx, wanted);
  const after = await list();
  if (!isListedAs(after, wanted)) await updateAges(tx, orderOf(wanted).strategyIds);
  recordOrder(tx, { feature, environment }, before, wanted);
}

function recordOrder(
  tx: Tx,
  { feature, environment }: Pick<FeatureInEnvironment, 'feature' | 'environment'>,
  before: readonly StrategySortOrder[],
  after: readonly StrategySortOrder[],
): void {
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
