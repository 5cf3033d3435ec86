import { sql } from 'kysely';
import type { Tx } from '../../../../../platform/db/database.ts';
import type { Strategy } from '../../feature-schema.ts';

export const updateSortOrders = (
  tx: Tx,
  strategies: readonly Pick<Strategy, 'id' | 'sortOrder'>[],
) =>
  tx.db
    .updateTable('feature_strategies')
    .from(
      sql<{
        id: string;
        sortOrder: number;
      }>`unnest(${strategies.map(({ id }) => id)}::text[], ${strategies.map(
        ({ sortOrder }) => sortOrder,
      )}::integer[])`.as<'changed'>(sql`changed(id, "sortOrder")`),
    )
    .set(({ ref }) => ({ sort_order: ref('changed.sortOrder') }))
    .whereRef('feature_strategies.id', '=', 'changed.id')
    .execute();
