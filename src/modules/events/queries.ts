import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../platform/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { isEventVisible } from './visibility.ts';

export interface Creator {
  readonly id: number;
  readonly name: string;
}

/**
 * Jumps from creator to creator along the index. 50 creators in a million events are 50 look-ups, while DISTINCT reads
 * all events.
 */
const allCreators = sql<Creator>`
  with recursive creators as (
    (select created_by_user_id as id from events
     where created_by_user_id is not null order by created_by_user_id limit 1)
    union all
    select (select e.created_by_user_id from events e
            where e.created_by_user_id > c.id order by e.created_by_user_id limit 1)
    from creators c where c.id is not null
  )
  select c.id, newest.name
  from creators c cross join lateral (
    select e.created_by as name from events e
    where e.created_by_user_id = c.id order by e.id desc limit 1
  ) newest
  where c.id is not null
  order by newest.name`;

/**
 * Jumps from pair to pair of creator and project, and takes the newest visible event of each creator. Walking the
 * events of a creator would read every hidden one.
 */
const visibleCreators = (sees: ReadonlySet<string>) => {
  const next = (condition: RawBuilder<unknown>) => sql`
    select e.created_by_user_id, e.project, e.id from events e
    where e.project is not null and ${condition}
    order by e.created_by_user_id, e.project, e.id desc limit 1`;
  return sql<Creator>`
    with recursive pairs as (
      (${next(sql`e.created_by_user_id is not null`)})
      union all
      select pair.* from pairs last cross join lateral (
        ${next(sql`(e.created_by_user_id, e.project) > (last.created_by_user_id, last.project)`)}
      ) pair
    ), newest as (
      select created_by_user_id, max(id) as id from pairs
      where ${isEventVisible(sees, 'pairs.project', 'pairs.id')}
      group by created_by_user_id
    )
    select newest.created_by_user_id as id, e.created_by as name
    from newest join events e using (id)
    order by e.created_by`;
};

/** The distinct creators of the events that a reader may see, with their newest name. */
export async function listCreators(db: Db, sees: Actor['sees']): Promise<readonly Creator[]> {
  const { rows } = await (sees === 'all' ? allCreators : visibleCreators(sees)).execute(db);
  return rows;
}
