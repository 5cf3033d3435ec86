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

/** Strategies with the same sort order are listed by their age. */
export const updateAges = (tx: Tx, ids: readonly string[]) =>
  tx.db
    .updateTable('feature_strategies')
    .from(
      sql<{ id: string; created_at: Date }>`(
        select id, min(created_at) over () + (place - count(*) over ()) * interval '1 ms'
        from unnest(${ids}::text[]) with ordinality listed(id, place)
        join feature_strategies using (id))`.as<'aged'>(sql`aged(id, created_at)`),
    )
    .set(({ ref }) => ({ created_at: ref('aged.created_at') }))
    .whereRef('feature_strategies.id', '=', 'aged.id')
    .execute();
